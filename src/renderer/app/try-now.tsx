import { Button } from '@fluentui/react-components';
import { t } from '../words/words.ts';
import { useDesk } from './context.tsx';
import { useAction } from './use-action.ts';

/** Does not wait for the end of a pause, or for the next look at a host that cannot be reached. */
export const TryNow = () => {
  const { app } = useDesk();
  const { busy, run } = useAction(() => app.tryNow());
  return (
    <Button size="small" disabledFocusable={busy} onClick={() => run()}>
      {t('reach.tryNow')}
    </Button>
  );
};
