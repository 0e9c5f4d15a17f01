import type { Draft } from '../../../contract/drafts.ts';
import { NameTemplate, OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { useRemembered } from '../../state/context.tsx';

/** How files are named, and what happens where a name is taken. */
export type Names = Pick<Draft, 'nameTemplate' | 'onClash'>;

type RememberedNames = {
  readonly value: Names;
  /** Whether a person has chosen before; the dialog of one assignment shares the template. */
  readonly isChosen: boolean;
  readonly remember: (names: Names) => void;
};

/** What was chosen last, for the next upload. */
export const useNames = (): RememberedNames => {
  const [nameTemplate, setTemplate] = useRemembered('upload.names', NameTemplate);
  const [onClash, setOnClash] = useRemembered('upload.on-clash', OnClash);
  return {
    value: { nameTemplate: nameTemplate ?? ownNameTemplate, onClash: onClash ?? 'rename' },
    isChosen: nameTemplate !== undefined || onClash !== undefined,
    remember: (names) => {
      setTemplate(names.nameTemplate);
      setOnClash(names.onClash);
    },
  };
};
