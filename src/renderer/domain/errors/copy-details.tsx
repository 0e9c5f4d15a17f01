import { Button } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import { useApp } from '../../state/context.tsx';
import { t } from '../../words/words.ts';
import { errorReport } from './error-report.ts';

/** A button that copies what support needs to know about `error`. */
export const CopyDetails = ({ error }: { readonly error: ErrorData }) => {
  const version = useApp(({ projection }) => projection.snapshot?.version ?? t('shell.versionUnknown'));
  const [done, setDone] = useState<string>();
  const copy = () =>
    navigator.clipboard.writeText(errorReport(error, version, new Date())).then(
      () => setDone(t('shell.copied')),
      () => setDone(t('shell.copyImpossible')),
    );
  return (
    <>
      <Button appearance="subtle" icon={<Copy20Regular />} onClick={copy}>
        {t('shell.copyDetails')}
      </Button>
      <span role="status">{done}</span>
    </>
  );
};
