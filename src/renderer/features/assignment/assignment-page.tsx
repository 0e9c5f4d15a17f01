import type { AssignmentSummary } from '../../../contract/resources.ts';
import { customerName } from '../../../contract/resources.ts';
import { StatusBadge } from '../../domain/assignments/status-badge.tsx';
import { CopiedText } from '../../domain/copied-text.tsx';
import { ServiceTime } from '../../domain/service-time.tsx';
import { targetName } from '../../domain/uploads/batch-words.ts';
import { useAssignment } from '../../queries/assignments.ts';
import { useApp } from '../../state/context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';
import { KnownFiles } from './known-files.tsx';
import { PlanAfter } from './plan-after.tsx';
import { ProtocolLink } from './protocol-link.tsx';
import { UploadHistory } from './upload-history.tsx';
import { UploadPart } from './upload-part.tsx';

type AssignmentPageProps = { readonly id: string; readonly summary?: AssignmentSummary | undefined };

/** A time from the service other than 0: that of this assignment, or else of any seen before. */
const timeSample = (summary: AssignmentSummary | undefined, seen: readonly AssignmentSummary[]): number | undefined =>
  [...(summary ? [summary] : []), ...seen].find(({ StartTime }) => StartTime !== 0)?.StartTime;

const copied = (name: string, text: string) => <CopiedText name={name} text={text} />;

/** One assignment with its plan-after date, its files and uploads to it. */
export const AssignmentPage = ({ id, summary: given }: AssignmentPageProps) => {
  // From the offline data, if the page was opened from an upload. The page works without it.
  const { value: known } = useAssignment(id);
  const summary = given ?? known?.assignment;
  const seen = useApp((state) => state.assignments);
  return (
    <Page
      title={summary?.Address || t('assignment.title')}
      subtitle={summary?.City}
      actions={summary && <StatusBadge status={summary.AssignmentStatus} />}
    >
      <PageBody>
        <Facts
          facts={[
            ...(summary
              ? [
                  { name: t('assignment.customer'), value: customerName(summary) },
                  { name: t('assignment.start'), value: <ServiceTime raw={summary.StartTime} show="moment" /> },
                  { name: t('assignment.performer'), value: summary.Performer },
                  { name: t('common.facility'), value: copied(t('common.facility'), summary.FacilityId) },
                ]
              : []),
            ...(known?.InspectionProtocolId === undefined
              ? []
              : [{ name: t('assignment.protocol'), value: <ProtocolLink id={known.InspectionProtocolId} /> }]),
            { name: t('assignment.id'), value: copied(t('assignment.id'), id) },
          ]}
        />
        <UploadPart AssignmentId={id} />
        <Part title={t('assignment.planAfter.title')}>
          <PlanAfter id={id} sample={timeSample(summary, Object.values(seen))} last={known?.planAfter} />
        </Part>
        <UploadHistory id={id} />
        <KnownFiles id={id} title={targetName({ AssignmentId: id }, summary)} />
      </PageBody>
    </Page>
  );
};
