import type { MouseEvent, ReactElement } from 'react';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

/** How many files the question names. */
const mostNames = 5;

type RemoveManyProps = {
  readonly trigger: ReactElement<{ onClick?: (click: MouseEvent<HTMLElement>) => void }>;
  readonly files: number;
  readonly bytes: number;
  /** Of the first files. */
  readonly names: readonly string[];
  readonly what: Parameters<ReturnType<typeof useDesk>['files']['remove']>[0];
  /** Called when the removal has begun. */
  readonly onBegun?: () => void;
};

/** Removes several files after one question. */
export const RemoveMany = ({ trigger, files, bytes, names, what, onBegun }: RemoveManyProps) => {
  const desk = useDesk();
  const remove = useAction(async () => {
    await desk.files.remove(what);
    onBegun?.();
  });
  const amount = t('count.file', { count: files });
  const shown = names.slice(0, mostNames);
  const first = shown.join(', ');
  const all =
    files > shown.length ? t('assignment.files.andMore', { names: first, count: files - shown.length }) : first;
  return (
    <Confirm
      title={t('assignment.files.removeMany', { files: amount })}
      action={t('assignment.change.removeFiles', { count: files })}
      onConfirm={() => remove.run()}
      trigger={trigger}
    >
      {t('assignment.files.removeManyExplained', { names: all, files: amount, size: formatBytes(bytes) })}
    </Confirm>
  );
};
