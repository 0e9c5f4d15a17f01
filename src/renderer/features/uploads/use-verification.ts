import { useEffect, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { useDesk } from '../../state/context.tsx';
import { nothingVerified, type Verification, withPart } from './verification.ts';

export type VerificationState = {
  readonly verification: Verification;
  /** Whether every file was read. */
  readonly ended: boolean;
  readonly error?: ErrorData;
};

/** Reads the files of `batch` on this computer again, for as long as it is shown. */
export const useVerification = (batch: string): VerificationState => {
  const { uploads } = useDesk();
  const [state, setState] = useState<VerificationState>({ verification: nothingVerified, ended: false });
  useEffect(() => {
    let wanted = true;
    const read = async (): Promise<void> => {
      let verification = nothingVerified;
      for (let after: number | undefined = 0; after !== undefined; ) {
        const part = await uploads.verify({ batch, after });
        if (!wanted) return;
        verification = withPart(verification, part);
        after = part.next;
        setState({ verification, ended: after === undefined });
      }
    };
    read().catch((error: unknown) => wanted && setState((before) => ({ ...before, error: toErrorData(error) })));
    return () => {
      wanted = false;
      void uploads.cancelVerify();
    };
  }, [uploads, batch]);
  return state;
};
