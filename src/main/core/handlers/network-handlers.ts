/** The calls about proxies and certificate authorities. */
import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import { readAuthorities } from '../../net/trust.ts';
import { readPreferences } from '../../settings/preferences.ts';
import type { HandlerParts } from './handler-parts.ts';

export const createNetworkHandlers = ({
  host,
  settings,
  state,
  ways,
  connections,
}: HandlerParts): Handlers['network'] => {
  const setCaFile = (caFile: string | undefined): void => {
    const { network } = readPreferences(settings);
    settings.update({ network: { proxy: network.proxy, ...(caFile !== undefined && { caFile }) } });
    state.preferencesChanged();
  };

  /** Tries again what was not tried without the password. */
  const goOn = async (): Promise<void> => {
    const { uploads, tryNow } = connections.connected();
    tryNow();
    const waiting = uploads.present().filter(({ state: at, reason }) => at === 'paused' && isForPassword(reason?.code));
    await Promise.all(waiting.map(({ batchId }) => uploads.resume(batchId)));
  };

  return {
    enterProxyPassword: async ({ proxy, user, password }) => {
      state.proxyPasswordWanted(undefined);
      await ways.passwords.enter(proxy, { user, password }).catch((error: unknown) => {
        // It works until the app is closed.
        if (!(error instanceof DeskError)) throw error;
        state.notice(error);
      });
      if (state.snapshot().connection) await goOn();
    },
    dismissProxyPassword: () => {
      ways.passwords.dismiss();
      state.proxyPasswordWanted(undefined);
    },
    pickCaFile: async () => {
      if (!host.pickCaFile) throw new DeskError('app/unsupported', 'there is no file picker here');
      const path = await host.pickCaFile();
      if (path === undefined) return;
      await readAuthorities(path);
      setCaFile(path);
    },
    forgetCaFile: () => setCaFile(undefined),
  };
};

const isForPassword = (code: string | undefined): boolean => code?.startsWith('network/proxy-password') ?? false;
