import { Button } from '@fluentui/react-components';
import { Print20Regular } from '@fluentui/react-icons';
import { protocolAssignmentColumns } from '../../domain/assignments/assignments.tsx';
import { CopiedText } from '../../domain/copy.tsx';
import { Failure } from '../../domain/errors.tsx';
import { ReadingView, sharedError, UnreadableNote } from '../../domain/readings.tsx';
import { addressOf, ServiceTime } from '../../domain/texts.tsx';
import { useInspectionPoints, useProtocolAssignments } from '../../queries/protocols.ts';
import { useApp } from '../../state/context.tsx';
import { assignmentPlace, type PlaceProps } from '../../state/places.ts';
import { PlainTable } from '../../ui/data-table/data-table.tsx';
import { Empty, Facts, Page, PageBody, Part } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { InspectionPoints } from './inspection-points.tsx';

/** One protocol with its assignments and inspection points. */
export const ProtocolPage = ({ protocol }: PlaceProps<'protocol'>) => {
  const open = useApp((state) => state.open);
  const { InspectionProtocolId, City, ZipCode, FacilityId, InspectionDate, Points } = protocol;
  const assignments = useProtocolAssignments(InspectionProtocolId);
  const points = useInspectionPoints(InspectionProtocolId);
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
      <PageBody>
        <Facts
          facts={[
            { name: t('protocol.inspected'), value: <ServiceTime raw={InspectionDate} show="day" /> },
            { name: t('common.facility'), value: <CopiedText name={t('common.facility')} text={FacilityId} /> },
            { name: t('protocol.points'), value: Points },
            { name: t('protocol.id'), value: <CopiedText name={t('protocol.id')} text={InspectionProtocolId} /> },
          ]}
        />
        {error !== undefined ? (
          <Failure error={error} onRetry={reload} />
        ) : (
          <>
            <Part title={t('protocol.assignments')}>
              <ReadingView state={assignments} loading={t('assignment.loading')}>
                {({ Items }, { unreadable }) =>
                  Items.length + unreadable === 0 ? (
                    <Empty title={t('protocol.noAssignments')} />
                  ) : (
                    <PlainTable
                      id="protocol-assignments"
                      label={t('protocol.assignments')}
                      columns={protocolAssignmentColumns}
                      rows={Items}
                      unreadable={unreadable}
                      rowKey={({ AssignmentId }) => AssignmentId}
                      open={(summary) => open(assignmentPlace(summary, 'protocols'))}
                    />
                  )
                }
              </ReadingView>
            </Part>
            <Part title={t('protocol.inspectionPoints')}>
              <ReadingView state={points} loading={t('protocol.loadingPoints')}>
                {(value, { unreadable }) => (
                  <>
                    {value.length + unreadable === 0 ? (
                      <Empty title={t('protocol.noPoints')} />
                    ) : (
                      <InspectionPoints points={value} />
                    )}
                    <UnreadableNote count={unreadable} />
                  </>
                )}
              </ReadingView>
            </Part>
          </>
        )}
      </PageBody>
    </Page>
  );
};
