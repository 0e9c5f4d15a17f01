import { troubleOf } from '../../contract/reachability.ts';
import { isForAll, troubleText } from '../features/uploads/batch-wait.ts';
import { Message } from '../ui/message.tsx';
import { useSnapshot } from './context.tsx';
import { TryNow } from './try-now.tsx';

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
