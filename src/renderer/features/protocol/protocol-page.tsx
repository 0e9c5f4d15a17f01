import { Button, Checkbox, makeStyles, mergeClasses, Text, tokens, typographyStyles } from '@fluentui/react-components';
import { Image16Regular, Print20Regular, Warning16Regular } from '@fluentui/react-icons';
import { isEqual } from 'es-toolkit';
import { type MouseEvent, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import type { AssignmentList, InspectionPoint } from '../../../contract/resources.ts';
import { hasBeginnings, plainWords, searchable } from '../../../contract/search.ts';
import { protocolAssignmentColumns } from '../../domain/assignments/assignments.tsx';
import { CopiedText } from '../../domain/copy.tsx';
import { Failure } from '../../domain/errors.tsx';
import { ReadingView, sharedError } from '../../domain/readings.tsx';
import { asksForAction, SeverityBadge, severityName, worstFirst } from '../../domain/severity.tsx';
import { addressOf, ServiceTime } from '../../domain/texts.tsx';
import { useCallQuery, useCalls, useReadingQuery } from '../../queries/query.tsx';
import { assignmentPlace, type PlaceProps, useApp, useRemembered } from '../../state/store.tsx';
import { PlainTable } from '../../ui/data-table/data-table.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Empty, Facts, Line, Page, Part } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { floating, SidePanel } from '../../ui/side-panel.tsx';
import { bareButton, bareList, lines, oneLine, stacked, wrapping } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { formats } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

export const ProtocolPage = ({ protocol: given }: PlaceProps<'protocol'>) => {
  const open = useApp((state) => state.open);
  const { InspectionProtocolId } = given;
  // `given` is as old as the place, which may come from an earlier run of the app.
  const { value: protocol = given } = useCallQuery(useCalls().protocols.get({ InspectionProtocolId }));
  const { City, ZipCode, FacilityId, InspectionDate, Points } = protocol;
  const assignments = useReadingQuery<AssignmentList>(({ protocols }, how) =>
    protocols.assignments({ InspectionProtocolId, ...how }),
  );
  const points = useReadingQuery<readonly InspectionPoint[]>(({ protocols }, how) =>
    protocols.inspectionPoints({ InspectionProtocolId, ...how }),
  );
  const error = sharedError([assignments, points]);
  const reload = (): void => {
    assignments.reload();
    points.reload();
  };
  return (
    <Page
      title={addressOf(protocol) || InspectionProtocolId}
      subtitle={[ZipCode, City].filter(Boolean).join(' ')}
      actions={
        <Button icon={<Print20Regular />} onClick={() => print()}>
          {t('protocol.print')}
        </Button>
      }
    >
      <Facts
        facts={[
          { name: t('protocols.column.InspectionDate'), value: <ServiceTime raw={InspectionDate} show="day" /> },
          { name: t('common.facility'), value: <CopiedText name={t('common.facility')} text={FacilityId} /> },
          { name: t('protocols.column.Points'), value: Points },
          { name: t('protocol.id'), value: <CopiedText name={t('protocol.id')} text={InspectionProtocolId} /> },
        ]}
      />
      {error !== undefined ? (
        <Failure error={error} onRetry={reload} />
      ) : (
        <>
          <Part title={t('work.title')}>
            <ReadingView {...assignments} loading={t('work.loading')}>
              {({ Items }, { unreadable }) =>
                Items.length + unreadable === 0 ? (
                  <Empty title={t('protocol.noAssignments')} />
                ) : (
                  <PlainTable
                    id="protocol-assignments"
                    label={t('work.title')}
                    columns={protocolAssignmentColumns}
                    rows={Items}
                    unreadable={unreadable}
                    rowKey={({ AssignmentId }) => AssignmentId}
                    open={(summary) => open(assignmentPlace(summary))}
                  />
                )
              }
            </ReadingView>
          </Part>
          <Part title={t('protocol.inspectionPoints')}>
            <ReadingView {...points} loading={t('protocol.loadingPoints')}>
              {(value, { unreadable }) => (
                <>
                  {value.length + unreadable === 0 ? (
                    <Empty title={t('protocol.noPoints')} />
                  ) : (
                    <InspectionPoints points={value} />
                  )}
                  {unreadable > 0 && (
                    <Line>
                      <Warning16Regular primaryFill={tokens.colorStatusWarningForeground3} aria-hidden="true" />
                      <Text>{t('common.unreadable', { count: unreadable })}</Text>
                    </Line>
                  )}
                </>
              )}
            </ReadingView>
          </Part>
        </>
      )}
    </Page>
  );
};

const useStyles = makeStyles({
  points: stacked(tokens.spacingVerticalS),
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
  },
  withPane: { '@media screen and (min-width: 1000px)': { gridTemplateColumns: 'minmax(0, 1fr) 320px' } },
  heading: {
    margin: `${tokens.spacingVerticalM} 0 ${tokens.spacingVerticalS}`,
    fontSize: tokens.fontSizeBase300,
    ...oneLine,
  },
  list: bareList,
  filters: {
    ...wrapping(tokens.spacingHorizontalS),
    '@media print': { display: 'none' },
  },
  pane: {
    position: 'sticky',
    top: 0,
    maxHeight: 'calc(100vh - 130px)',
    padding: tokens.spacingHorizontalL,
    '@media (max-width: 999px)': { ...floating, width: '340px' },
  },
  description: { margin: 0, whiteSpace: 'pre-wrap' },
  point: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 180px) minmax(0, 148px)',
    '@media screen and (max-width: 799px)': { gridTemplateColumns: 'minmax(0, 1fr) auto' },
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalL}`,
    alignItems: 'start',
    justifyItems: 'start',
    padding: tokens.spacingVerticalM,
    marginInline: `calc(-1 * ${tokens.spacingVerticalM})`,
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':has(:focus-visible)': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    // A protocol can have hundreds of points. Points out of view are not laid out.
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 72px',
    '@media print': { contentVisibility: 'visible', breakInside: 'avoid' },
  },
  main: { minWidth: 0, '@media screen and (max-width: 799px)': { gridColumnStart: 1, gridColumnEnd: -1 } },
  // Forced colours remove the background, but show the transparent outline, which then marks the point.
  shown: {
    outline: `1px solid ${tokens.colorTransparentStroke}`,
    outlineOffset: '-1px',
    '@media screen': { backgroundColor: tokens.colorNeutralBackground1Selected },
  },
  name: {
    ...bareButton,
    padding: 0,
    fontWeight: tokens.fontWeightSemibold,
    textAlign: 'start',
    cursor: 'inherit',
    outline: 'none',
  },
  text: { ...lines(4), '@media print': { display: 'block' } },
  facts: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `0 ${tokens.spacingHorizontalM}`,
    ...typographyStyles.caption1,
    color: tokens.colorNeutralForeground3,
  },
  picture: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
});

const InspectionPoints = ({ points }: { readonly points: readonly InspectionPoint[] }) => {
  const styles = useStyles();
  const [filter, setFilter] = useState(everyPoint);
  const [shownId, show] = useState<string>();
  const [remembered = 'to-do', remember] = useRemembered('protocol.points', PointView);
  const [chosen, choose] = useState<PointView>();
  const view = chosen ?? remembered;
  const toDo = useMemo(() => remarksOf(points), [points]);
  const list = useRef<HTMLDivElement>(null);
  const closeDetails = (): void => {
    list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    show(undefined);
  };
  const listed = view === 'to-do' ? toDo : points;
  const filtered = filterPoints(listed, filter);
  const shown = filtered.find(({ ProtocolInspectionPointId }) => ProtocolInspectionPointId === shownId);
  return (
    <div className={styles.points}>
      <Tabs
        label={t('protocol.view.label')}
        values={PointView.options}
        nameOf={(value) =>
          value === 'to-do'
            ? t('protocol.view.toDo', { count: toDo.length })
            : t('protocol.view.all', { count: points.length })
        }
        value={view}
        onChange={(next) => {
          choose(next);
          remember(next);
        }}
      />
      <PointFilters points={listed} filter={filter} onChange={setFilter} />
      <span role="status">
        {filtered.length === points.length
          ? t('count.inspectionPoint', { count: points.length })
          : t('protocol.filter.shown', { shown: filtered.length, count: points.length })}
      </span>
      {listed.length === 0 ? (
        <Empty title={t('protocol.nothingToDo')} hint={t('protocol.nothingToDoHint')} />
      ) : (
        filtered.length === 0 && <Empty title={t('protocol.filter.noMatch')} />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the details inside. */}
      <div
        className={mergeClasses(styles.columns, shown && styles.withPane)}
        onKeyDown={({ key }) => key === 'Escape' && shown !== undefined && closeDetails()}
      >
        <div ref={list}>
          {groupPoints(filtered, view === 'to-do' ? 'Severity' : 'Category').map(({ name, points: grouped }) => (
            <div key={name}>
              <h3 className={styles.heading}>{t('common.counted', { name, count: grouped.length })}</h3>
              <ul className={styles.list}>
                {grouped.map((point) => (
                  <PointRow
                    key={point.ProtocolInspectionPointId}
                    point={point}
                    shown={point === shown}
                    withCategory={view === 'to-do'}
                    onShow={(id) => show(id === shownId ? undefined : id)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </div>
        {shown !== undefined && <PointDetails point={shown} onClose={closeDetails} />}
      </div>
    </div>
  );
};

/**
 * Whether the inspector made a remark on a point: it has a description, or a severity that requires action. The answer
 * is ignored, because the API does not list its values.
 */
const hasRemark = ({ Description, Severity }: InspectionPoint): boolean =>
  Description.trim() !== '' || asksForAction(Severity);

/** Returns the `points` with a remark, worst first. Points of the same level keep the order of the service. */
const remarksOf = (points: readonly InspectionPoint[]): readonly InspectionPoint[] =>
  worstFirst(points.filter(hasRemark), ({ Severity }) => Severity);

type PointGroup = { readonly name: string; readonly points: readonly InspectionPoint[] };

const names = {
  Category: (category: string) => category || t('protocol.noCategory'),
  Severity: severityName,
};

/** Groups `points` by the shown text of their `field`. The groups are in the order of their first points. */
const groupPoints = (points: readonly InspectionPoint[], field: 'Category' | 'Severity'): readonly PointGroup[] =>
  [...Map.groupBy(points, (point) => names[field](point[field]))].map(([name, grouped]) => ({ name, points: grouped }));

const PointView = z.enum(['to-do', 'all']);
type PointView = z.infer<typeof PointView>;

type PointFiltersProps = {
  readonly points: readonly InspectionPoint[];
  readonly filter: PointFilter;
  readonly onChange: (filter: PointFilter) => void;
};

const PointFilters = ({ points, filter, onChange }: PointFiltersProps) => {
  const styles = useStyles();
  const { text, severity, answer, withPicture } = filter;
  const filters = useRef<HTMLDivElement>(null);
  const clear = (): void => {
    // The focused button disappears, so the focus moves to the first filter.
    filters.current?.querySelector('input')?.focus();
    onChange(everyPoint);
  };
  return (
    <search ref={filters} className={styles.filters}>
      <SearchField
        label={t('protocol.filter.search')}
        value={text}
        onChange={(changed) => onChange({ ...filter, text: changed })}
      />
      <Choice
        label={t('protocol.filter.severity')}
        all={t('protocol.filter.everySeverity')}
        nameOf={severityName}
        values={worstFirst(choicesOf(points, 'Severity'), (value) => value)}
        value={severity}
        onChange={(value) => onChange({ ...filter, severity: value })}
      />
      <Choice
        label={t('protocol.filter.answer')}
        all={t('protocol.filter.everyAnswer')}
        nameOf={(value) => value || t('protocol.filter.noAnswer')}
        values={worstFirst(choicesOf(points, 'Answer'), (value) => value)}
        value={answer}
        onChange={(value) => onChange({ ...filter, answer: value })}
      />
      <Checkbox
        label={t('protocol.filter.withPicture')}
        checked={withPicture}
        onChange={(_, { checked }) => onChange({ ...filter, withPicture: checked === true })}
      />
      {!isEqual(filter, everyPoint) && (
        <Button appearance="subtle" onClick={clear}>
          {t('common.clearFilters')}
        </Button>
      )}
    </search>
  );
};

const PointDetails = ({ point, onClose }: { readonly point: InspectionPoint; readonly onClose: () => void }) => {
  const styles = useStyles();
  const { InspectionPointName, Category, Answer, Severity, ProductType, SpecificReference, HasImage } = point;
  return (
    <SidePanel
      label={t('protocol.details')}
      title={InspectionPointName}
      Heading="h3"
      closeLabel={t('protocol.closeDetails')}
      onClose={onClose}
      className={styles.pane}
    >
      {point.Description !== '' && <p className={styles.description}>{point.Description}</p>}
      <Facts
        facts={[
          { name: t('protocol.filter.severity'), value: <SeverityBadge severity={Severity} /> },
          { name: t('protocol.filter.answer'), value: Answer },
          { name: t('protocol.category'), value: Category },
          { name: t('protocol.productType'), value: ProductType },
          { name: t('protocol.specificReference'), value: SpecificReference },
          { name: t('protocol.picture'), value: HasImage ? t('protocol.pictureYes') : t('protocol.pictureNo') },
          { name: t('protocol.pointId'), value: point.ProtocolInspectionPointId },
        ]}
      />
    </SidePanel>
  );
};

type PointFilter = {
  /** The words to search for. Each has to begin a word of a point. */
  readonly text: string;
  /** A severity as the service sent it; undefined matches all. */
  readonly severity: string | undefined;
  readonly answer: string | undefined;
  readonly withPicture: boolean;
};

const everyPoint: PointFilter = { text: '', severity: undefined, answer: undefined, withPicture: false };

const textOf = (point: InspectionPoint): string =>
  [point.InspectionPointName, point.Description, point.Category, point.ProductType, point.SpecificReference].join(' ');

const filterPoints = (points: readonly InspectionPoint[], filter: PointFilter): readonly InspectionPoint[] => {
  const words = plainWords(filter.text);
  return points.filter(
    (point) =>
      (filter.severity === undefined || point.Severity === filter.severity) &&
      (filter.answer === undefined || point.Answer === filter.answer) &&
      (!filter.withPicture || point.HasImage) &&
      hasBeginnings(searchable(textOf(point)), words),
  );
};

const choicesOf = (points: readonly InspectionPoint[], field: 'Severity' | 'Answer'): readonly string[] =>
  [...new Set(points.map((point) => point[field]))].toSorted(formats().collator.compare);

type PointRowProps = {
  readonly point: InspectionPoint;
  readonly shown: boolean;
  readonly withCategory: boolean;
  readonly onShow: (id: string) => void;
};

const PointRow = ({ point, shown, withCategory, onShow }: PointRowProps) => {
  const styles = useStyles();
  const { InspectionPointName, Answer, Severity, Description, ProductType, SpecificReference, HasImage } = point;
  const reference = SpecificReference && t('protocol.reference', { reference: SpecificReference });
  const facts = [withCategory && point.Category, ProductType, reference].filter(Boolean).join(' · ');
  const show = ({ currentTarget, detail }: MouseEvent) => {
    // A drag that selects text ends with a click. A click by a key has no `detail`.
    if (detail > 0 && getSelection()?.isCollapsed === false) return;
    // The button gets the focus, so that Escape closes the details.
    currentTarget.querySelector('button')?.focus({ preventScroll: true });
    onShow(point.ProtocolInspectionPointId);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the button inside.
    <li data-result className={mergeClasses(styles.point, shown && styles.shown)} onClick={show}>
      <div className={styles.main}>
        <button type="button" className={mergeClasses(styles.name, styles.text)} aria-expanded={shown}>
          {InspectionPointName || t('common.unnamed')}
        </button>
        {Description !== '' && <Text className={styles.text}>{Description}</Text>}
        <div className={styles.facts}>
          {facts !== '' && <span className={styles.text}>{facts}</span>}
          {HasImage && (
            <span className={styles.picture}>
              <Image16Regular aria-hidden="true" /> {t('protocol.hasPicture')}
            </span>
          )}
        </div>
      </div>
      <Text className={styles.text}>{Answer}</Text>
      <SeverityBadge severity={Severity} />
    </li>
  );
};
