import { troubleOf } from '../../contract/reachability.ts';
import { TryNow } from '../domain/reach/try-now.tsx';
import { isForAll, troubleText } from '../domain/uploads/batch-wait.ts';
import { useSnapshot } from '../state/context.tsx';
import { Message } from '../ui/message.tsx';

/** Whether the service is in a trouble that concerns every page. */
export const useTroubleForAll = () => {
  const trouble = useSnapshot(({ reachability }) => troubleOf(reachability.service));
  return trouble && isForAll('service', trouble) ? trouble : undefined;
};

/** Over every page: that the service asked for a pause, or cannot be trusted to be itself. */
export const TroubleBar = () => {
  const trouble = useTroubleForAll();
  if (trouble === undefined) return null;
  const { title, todo } = troubleText('service', trouble);
  return (
    <Message intent="warning" title={title} action={<TryNow />}>
      {todo}
    </Message>
  );
};
