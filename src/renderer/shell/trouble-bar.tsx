import { troubleOf } from '../../contract/connection.ts';
import { OpenDoctor } from '../domain/reach/open-doctor.tsx';
import { TryNow } from '../domain/reach/try-now.tsx';
import { isForAll, troubleText } from '../domain/uploads/batch-wait.ts';
import { useSnapshot } from '../state/context.tsx';
import { Message } from '../ui/message.tsx';

/** A problem of the service that affects every page, if there is one. */
export const useTroubleForAll = () => {
  const trouble = useSnapshot(({ reachability }) => troubleOf(reachability.service));
  return trouble && isForAll('service', trouble) ? trouble : undefined;
};

/** Shows on every page that the service is rate limiting or has an untrusted certificate. */
export const TroubleBar = () => {
  const trouble = useTroubleForAll();
  if (trouble === undefined) return null;
  const { title, todo } = troubleText('service', trouble);
  return (
    <Message
      intent="warning"
      title={title}
      action={
        <>
          <TryNow />
          <OpenDoctor small />
        </>
      }
    >
      {todo}
    </Message>
  );
};
