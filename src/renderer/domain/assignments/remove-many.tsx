import type { MouseEvent, ReactElement } from 'react';
import { useAction, useDesk } from '../../state/context.tsx';
import { Confirm } from '../../ui/dialogs.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

/** How many files the question names. */
const mostNames = 5;

type RemovedFiles = {
  readonly files: number;
  readonly bytes: number;
  /** The names of the first files. */
  readonly names: readonly string[];
};

/** Explains the consequences of removing these files. */
export const removalExplained = ({ files, bytes, names }: RemovedFiles): string => {
  const shown = names.slice(0, mostNames);
  const first = shown.join(', ');
  return t('assignment.files.removeManyExplained', {
    names: files > shown.length ? t('assignment.files.andMore', { names: first, count: files - shown.length }) : first,
    count: files,
    size: formatBytes(bytes),
  });
};

type RemoveManyProps = RemovedFiles & {
  readonly trigger: ReactElement<{ onClick?: (click: MouseEvent<HTMLElement>) => void }>;
  readonly what: Parameters<ReturnType<typeof useDesk>['files']['remove']>[0];
  /** Called when the removal has begun. */
  readonly onBegun: () => void;
};

/** Removes several files after one question. */
export const RemoveMany = ({ trigger, what, onBegun, ...removed }: RemoveManyProps) => {
  const desk = useDesk();
  const { files } = removed;
  const remove = useAction(async () => {
    await desk.files.remove(what);
    onBegun();
  });
  return (
    <Confirm
      title={t('assignment.files.removeMany', { count: files })}
      action={t('assignment.change.removeFiles', { count: files })}
      onConfirm={() => remove.run()}
      trigger={trigger}
    >
      {removalExplained(removed)}
    </Confirm>
  );
};
