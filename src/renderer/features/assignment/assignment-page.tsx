import type { AssignmentSummary } from '../../../contract/resources.ts';
import { useApp } from '../../app/context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { Part } from '../../ui/part.tsx';
import { ServiceTime } from '../../ui/service-time.tsx';
import { customerName } from './assignment-columns.tsx';
import { KnownFiles } from './known-files.tsx';
import { PlanAfter } from './plan-after.tsx';
import { StatusBadge } from './status-badge.tsx';
import { UploadPart } from './upload-part.tsx';

export type AssignmentPageProps = { readonly id: string; readonly summary?: AssignmentSummary | undefined };

/** A time of the service other than 0: of this assignment or, where that has none, of any seen before. */
const timeSample = (summary: AssignmentSummary | undefined, seen: readonly AssignmentSummary[]): number | undefined =>
  [...(summary ? [summary] : []), ...seen].find(({ StartTime }) => StartTime !== 0)?.StartTime;

/** One assignment: what is known of it, its plan-after date, its files, and the way to upload more. */
export const AssignmentPage = ({ id, summary }: AssignmentPageProps) => {
  const seen = useApp((state) => state.assignments);
  return (
    <Page
      title={summary?.Address || 'Assignment'}
      subtitle={summary?.City}
      actions={summary && <StatusBadge status={summary.AssignmentStatus} />}
    >
      <PageBody>
        <Facts
          facts={[
            ...(summary
              ? [
                  { name: 'Customer', value: customerName(summary) },
                  { name: 'Start', value: <ServiceTime raw={summary.StartTime} show="moment" /> },
                  { name: 'Performer', value: summary.Performer },
                  { name: 'Facility', value: summary.FacilityId },
                ]
              : []),
            { name: 'Assignment ID', value: id },
          ]}
        />
        <UploadPart id={id} />
        <Part title="Plan after">
          <PlanAfter id={id} sample={timeSample(summary, Object.values(seen))} />
        </Part>
        <KnownFiles id={id} />
      </PageBody>
    </Page>
  );
};
