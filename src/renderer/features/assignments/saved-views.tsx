import {
  Field,
  Input,
  Menu,
  MenuButton,
  MenuDivider,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Text,
} from '@fluentui/react-components';
import { useState } from 'react';
import { z } from 'zod';
import { WorkGroup } from '../../../contract/assignments.ts';
import { ViewValue } from '../../../contract/preferences.ts';
import { usualFilter, type WorkFilter } from '../../domain/assignments/assignments.tsx';
import { useRemembered } from '../../state/store.tsx';
import { TableView } from '../../ui/data-table/columns.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { lazily } from '../../ui/lazy.tsx';
import { t } from '../../words/words.ts';

const DialogFrame = lazily(async () => (await import('../../ui/dialog-frame.tsx')).DialogFrame);

const SavedView = z.object({
  name: z.string().min(1).max(60),
  filter: z.object({
    text: z.string().exactOptional(),
    group: WorkGroup.exactOptional(),
    open: z.boolean().exactOptional(),
    City: z.string().exactOptional(),
    Performer: z.string().exactOptional(),
    AssignmentStatus: z.string().exactOptional(),
    projects: z.boolean().exactOptional(),
    County: z.string().exactOptional(),
    fromMs: z.number().exactOptional(),
    beforeMs: z.number().exactOptional(),
  }),
  table: TableView,
});
type SavedView = Readonly<z.infer<typeof SavedView>>;
const SavedViews = z.array(SavedView).readonly();

const none: readonly SavedView[] = [];

type ViewMenuProps = {
  readonly filter: WorkFilter;
  readonly table: TableView;
  /** Shows a saved view; the usual view if `table` is undefined. */
  readonly onShow: (filter: WorkFilter, table: TableView | undefined) => void;
};

/** The value of the radio item for the usual view. No saved view can have this name, because names are trimmed. */
const USUAL = ' ';

/** A menu that saves the filter, the order and the columns under a name, and that shows or removes saved views. */
export const ViewMenu = ({ filter, table, onShow }: ViewMenuProps) => {
  const [views = none, setViews] = useRemembered('assignments.views', SavedViews);
  const [shown, setShown] = useState<string>();
  const saving = useDialog<true>();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const show = (name: string | undefined): void => {
    const view = views.find((one) => one.name === name);
    setShown(view?.name);
    onShow(view?.filter ?? usualFilter, view?.table);
  };
  return (
    <>
      <Menu
        checkedValues={{ view: [shown ?? USUAL] }}
        onCheckedValueChange={(_, { checkedItems }) => show(checkedItems[0])}
      >
        <MenuTrigger disableButtonEnhancement>
          <MenuButton ref={setButton} appearance="subtle">
            {shown ?? t('work.views.label')}
          </MenuButton>
        </MenuTrigger>
        <MenuPopover>
          <MenuList hasCheckmarks>
            <MenuItemRadio name="view" value={USUAL}>
              {t('work.views.usual')}
            </MenuItemRadio>
            {views.map(({ name }) => (
              <MenuItemRadio key={name} name="view" value={name}>
                {name}
              </MenuItemRadio>
            ))}
            <MenuDivider />
            <MenuItem onClick={() => saving.open(button, true)}>{t('work.views.save')}</MenuItem>
            {shown !== undefined && (
              <MenuItem
                onClick={() => {
                  setViews(views.filter(({ name }) => name !== shown));
                  setShown(undefined);
                }}
              >
                {t('work.views.remove', { name: shown })}
              </MenuItem>
            )}
          </MenuList>
        </MenuPopover>
      </Menu>
      {saving.about && (
        <SaveDialog
          initial={shown ?? ''}
          others={views}
          view={{ filter, table }}
          onSave={(saved) => {
            setViews(saved);
            setShown(saved.at(-1)?.name);
          }}
          onClose={saving.close}
        />
      )}
    </>
  );
};

type SaveDialogProps = {
  readonly initial: string;
  readonly others: readonly SavedView[];
  readonly view: Pick<ViewMenuProps, 'filter' | 'table'>;
  readonly onSave: (views: readonly SavedView[]) => void;
  readonly onClose: () => void;
};

const SaveDialog = ({ initial, others, view, onSave, onClose }: SaveDialogProps) => {
  const [typed, setTyped] = useState(initial);
  const name = typed.trim();
  // Removes undefined fields, which the schema does not accept.
  const saved: unknown = JSON.parse(JSON.stringify([...others.filter((one) => one.name !== name), { ...view, name }]));
  const fits = ViewValue.safeParse(saved).success;
  const views = SavedViews.safeParse(saved).data;
  return (
    <DialogFrame
      title={t('work.views.title')}
      onClose={onClose}
      main={{
        label: t('work.views.action'),
        disabled: name === '' || !fits || views === undefined,
        act: () => {
          if (views) onSave(views);
          onClose();
        },
      }}
    >
      <Field
        label={t('work.views.name')}
        {...(!fits && { validationMessage: t('work.views.full', { count: others.length }) })}
      >
        <Input value={typed} maxLength={60} onChange={(_, { value }) => setTyped(value)} />
      </Field>
      <Text>{t('work.views.explained')}</Text>
    </DialogFrame>
  );
};
