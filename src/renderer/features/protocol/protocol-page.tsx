import { useCallback } from 'react';
import type { ProtocolSummary } from '../../../contract/resources.ts';
import { useApp, useDesk } from '../../app/context.tsx';
import { ReadingView } from '../../app/reading-view.tsx';
import { counted } from '../../ui/amounts.ts';
import { PlainTable } from '../../ui/data-table/plain-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { Part } from '../../ui/part.tsx';
import { ServiceTime } from '../../ui/service-time.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { protocolAssignmentColumns } from '../assignment/assignment-columns.tsx';
import { InspectionPoints } from './inspection-points.tsx';

/** One protocol: what is known of it, its assignments, its inspection points. */
export const ProtocolPage = ({ protocol }: { readonly protocol: ProtocolSummary }) => {
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const { InspectionProtocolId, Address, City, ZipCode, FacilityId, InspectionDate, Points } = protocol;
  const assignments = useReading(
    useCallback(() => desk.protocols.assignments({ InspectionProtocolId }), [desk, InspectionProtocolId]),
  );
  const points = useReading(
    useCallback(() => desk.protocols.inspectionPoints({ InspectionProtocolId }), [desk, InspectionProtocolId]),
  );
  return (
    <Page title={Address || FacilityId} subtitle={[ZipCode, City].filter(Boolean).join(' ')}>
      <PageBody>
        <Facts
          facts={[
            { name: 'Inspected', value: <ServiceTime raw={InspectionDate} show="day" /> },
            { name: 'Facility', value: FacilityId },
            { name: 'Points', value: Points },
            { name: 'Protocol ID', value: InspectionProtocolId },
          ]}
        />
        <Part title="Assignments">
          <ReadingView state={assignments} loading="Loading assignments">
            {({ Items }) =>
              Items.length === 0 ? (
                <Empty title="This protocol has no assignments." />
              ) : (
                <PlainTable
                  label="Assignments"
                  columns={protocolAssignmentColumns}
                  rows={Items}
                  rowKey={({ AssignmentId }) => AssignmentId}
                  open={(summary) =>
                    open({ name: 'assignment', AssignmentId: summary.AssignmentId, summary, section: 'protocols' })
                  }
                />
              )
            }
          </ReadingView>
        </Part>
        <Part title="Inspection points">
          <ReadingView state={points} loading="Loading inspection points">
            {(value) =>
              value.length === 0 ? (
                <Empty title="This protocol has no inspection points." />
              ) : (
                <>
                  <span>{counted(value.length, 'inspection point')}</span>
                  <InspectionPoints points={value} />
                </>
              )
            }
          </ReadingView>
        </Part>
      </PageBody>
    </Page>
  );
};
