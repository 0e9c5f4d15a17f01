import { Button } from '@fluentui/react-components';
import { Copy20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { ErrorData } from '../../contract/errors.ts';
import { errorReport } from '../ui/error-report.ts';
import { useApp } from './context.tsx';

/** A button that puts what support needs to know of `error` on the clipboard. */
export const CopyDetails = ({ error }: { readonly error: ErrorData }) => {
  const version = useApp(({ projection }) => projection.snapshot?.version ?? '(version unknown)');
  const [done, setDone] = useState<'Copied' | 'Copying is not possible'>();
  const copy = () =>
    navigator.clipboard.writeText(errorReport(error, version, new Date())).then(
      () => setDone('Copied'),
      () => setDone('Copying is not possible'),
    );
  return (
    <>
      <Button appearance="subtle" icon={<Copy20Regular />} onClick={copy}>
        Copy details
      </Button>
      <span role="status">{done}</span>
    </>
  );
};
