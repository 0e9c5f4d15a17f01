import { Dialog, DialogSurface, makeStyles } from '@fluentui/react-components';
import type { DialogProps } from '../../ui/dialog-frame.tsx';
import { t } from '../../words/words.ts';
import { SearchPanel } from './search-panel.tsx';

const useStyles = makeStyles({
  surface: { alignSelf: 'flex-start', marginTop: '8vh', maxWidth: '600px', padding: 0, overflow: 'hidden' },
});

/** The search in everything on this computer, over any page. */
export const SearchDialog = ({ open, onClose }: DialogProps) => (
  <Dialog open={open} onOpenChange={onClose}>
    <DialogSurface className={useStyles().surface} aria-label={t('search.everywhere')}>
      <SearchPanel onClose={onClose} />
    </DialogSurface>
  </Dialog>
);
