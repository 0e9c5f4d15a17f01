import { Button } from '@fluentui/react-components';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';

/** Ends a pause, and checks now whether an unreachable host can be reached. */
export const TryNow = () => {
  const { app } = useDesk();
  const { busy, run } = useAction(() => app.tryNow());
  return (
    <Button size="small" disabledFocusable={busy} onClick={() => run()}>
      {t('reach.tryNow')}
    </Button>
  );
};
