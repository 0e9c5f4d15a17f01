import { Calendar, type CalendarStrings, type DateFormatting, type ICalendar } from '@fluentui/react-calendar-compat';
import { useEffect, useRef, useState } from 'react';
import { namesLocale } from '../../words/formats.ts';
import { firstDayOfWeek, toInputValue } from '../words/dates.ts';
import { formats } from '../words/formats.ts';
import { spokenLocale, t } from '../words/words.ts';

/** A week that begins on a Sunday. */
const WEEK = Array.from({ length: 7 }, (_, day) => new Date(2026, 1, 1 + day));
const YEAR = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 1));

const writing = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(namesLocale(formats(), spokenLocale()), options);
  return (date: Date): string => format.format(date);
};

const named = (dates: readonly Date[], options: Intl.DateTimeFormatOptions): string[] => dates.map(writing(options));

const strings = (): CalendarStrings => ({
  months: named(YEAR, { month: 'long' }),
  shortMonths: named(YEAR, { month: 'short' }),
  days: named(WEEK, { weekday: 'long' }),
  shortDays: named(WEEK, { weekday: 'narrow' }),
  goToToday: t('common.date.today'),
  prevMonthAriaLabel: t('common.date.previousMonth'),
  nextMonthAriaLabel: t('common.date.nextMonth'),
  prevYearAriaLabel: t('common.date.previousYear'),
  nextYearAriaLabel: t('common.date.nextYear'),
  prevYearRangeAriaLabel: t('common.date.earlierYears'),
  nextYearRangeAriaLabel: t('common.date.laterYears'),
  monthPickerHeaderAriaLabel: t('common.date.changeYear'),
  yearPickerHeaderAriaLabel: t('common.date.changeMonth'),
});

const dateFormatting = (): DateFormatting => ({
  formatDay: (date) => String(date.getDate()),
  formatMonth: writing({ month: 'long' }),
  formatYear: (date) => String(date.getFullYear()),
  formatMonthDayYear: writing({ day: 'numeric', month: 'long', year: 'numeric' }),
  formatMonthYear: writing({ month: 'long', year: 'numeric' }),
});

type DateCalendarProps = {
  /** The chosen day, such as "2026-03-01"; empty for none. */
  readonly day: string;
  readonly onChoose: (day: string) => void;
  readonly onDismiss: () => void;
};

/** A calendar of one month, with the focus on the chosen day or on today. */
export const DateCalendar = ({ day, onChoose, onDismiss }: DateCalendarProps) => {
  const calendar = useRef<ICalendar>(null);
  // The calendar does not follow `day`. It closes on a choice, so a new value would be seen only while it closes.
  const [shown] = useState(day);
  useEffect(() => calendar.current?.focus(), []);
  return (
    <Calendar
      componentRef={calendar}
      {...(shown !== '' && { value: new Date(`${shown}T00:00`) })}
      // Closes the popover at Escape, because the calendar handles the key before the popover.
      onDismiss={onDismiss}
      isMonthPickerVisible={false}
      showMonthPickerAsOverlay
      firstDayOfWeek={firstDayOfWeek()}
      strings={strings()}
      dateTimeFormatter={dateFormatting()}
      onSelectDate={(date) => onChoose(toInputValue(date.getTime()).slice(0, 10))}
    />
  );
};
