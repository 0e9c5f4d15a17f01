import { Button, type ButtonProps } from '@fluentui/react-components';
import type { Side, Trouble } from '../../contract/connection.ts';
import { isBarredCode, isNameFailure } from '../../contract/errors.ts';
import type { ErrorText } from '../../words/error-text.ts';
import { useApp, useDesk } from '../state/store.tsx';
import { formatNear } from '../words/dates.ts';
import { errorText, t } from '../words/words.ts';
import { ActionButton, OpenButton } from './actions.tsx';

/**
 * Whether a message above every page reports the trouble. It does so if the service has requested a pause, or if every
 * request to the service fails until the user changes something.
 */
export const isForAll = (side: Side, { state, reason }: Trouble): boolean =>
  side === 'service' && (state === 'held' || isBarredCode(reason.code));

/**
 * Describes a trouble: which host it concerns, since when or until when, and what to do. If `isBarredCode` accepts the
 * code of the trouble, returns the text of its error.
 */
export const troubleText = (side: Side, trouble: Trouble): ErrorText => {
  const { state, host, reason } = trouble;
  if (isBarredCode(reason.code)) return errorText(reason);
  const isProxy = reason.code === 'network/proxy-unreachable';
  const who = isProxy
    ? t('reach.proxy', { proxy: String(reason.details.proxy ?? '') })
    : t(side === 'service' ? 'reach.service' : 'reach.storage', { host });
  if (state === 'held') {
    return { title: t('reach.held', { who, at: formatNear(trouble.untilMs) }), todo: t('reach.heldTodo') };
  }
  const since = { who, at: formatNear(trouble.sinceMs) };
  if (reason.code === 'network/interrupted') {
    return { title: t('reach.interrupted', since), todo: t('reach.interruptedTodo') };
  }
  const title = t('reach.unreachable', since);
  const why = errorText(reason);
  if (isProxy) return { title, todo: why.todo };
  // The text of the error is added if it says more, for example that a captive portal responds instead of the host, or
  // that the name server does not know the host.
  const isExplained = reason.code.startsWith('network/') || isNameFailure(reason);
  return { title, todo: isExplained ? `${why.title} ${why.todo}` : t('reach.unreachableTodo') };
};

export const OpenDoctor = (look: Pick<ButtonProps, 'size'>) => (
  <OpenButton place={{ name: 'doctor' }} {...look}>
    {t('reach.doctor')}
  </OpenButton>
);

/**
 * Two buttons. The first ends all pauses and immediately checks whether unreachable hosts respond; the second opens the
 * connection check.
 */
export const ReachActions = () => {
  const { app } = useDesk();
  return (
    <>
      <ActionButton size="small" act={app.tryNow}>
        {t('reach.tryNow')}
      </ActionButton>
      <OpenDoctor size="small" />
    </>
  );
};

/** A button that leads to the sign-in, for pages that can be used without signing in. */
export const GoToSignIn = () => {
  const open = useApp((state) => state.open);
  const browseOffline = useApp((state) => state.browseOffline);
  const onClick = (): void => {
    browseOffline(false);
    open({ name: 'protocols' });
  };
  return <Button onClick={onClick}>{t('settings.goToSignIn')}</Button>;
};
