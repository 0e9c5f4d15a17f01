import { makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { z } from 'zod';
import { t } from '../../words/words.ts';

/** The points with a remark, or all of them. */
export const PointView = z.enum(['to-do', 'all']);
export type PointView = z.infer<typeof PointView>;

const useStyles = makeStyles({
  tabs: { flexWrap: 'wrap', margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`, '@media print': { display: 'none' } },
});

type PointViewsProps = {
  readonly value: PointView;
  /** The points of each. */
  readonly counts: Readonly<Record<PointView, number>>;
  readonly onChange: (view: PointView) => void;
};

/** Chooses between the points that are to do and all points. */
export const PointViews = ({ value, counts, onChange }: PointViewsProps) => (
  <TabList
    className={useStyles().tabs}
    aria-label={t('protocol.view.label')}
    selectedValue={value}
    onTabSelect={(_, chosen) => onChange(PointView.parse(chosen.value))}
  >
    <Tab value="to-do">{t('protocol.view.toDo', { count: counts['to-do'] })}</Tab>
    <Tab value="all">{t('protocol.view.all', { count: counts.all })}</Tab>
  </TabList>
);
