import {
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  surface: { maxWidth: '720px' },
  content: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    // Its content scrolls rather than shrinks.
    '& > *': { flexShrink: 0 },
  },
});

export type DialogProps = { readonly open: boolean; readonly onClose: () => void };

type DialogFrameProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** Its buttons. */
  readonly actions: ReactNode;
  /** Default: true. */
  readonly open?: boolean;
  readonly onClose: () => void;
};

/** A dialog with its title above, its content from top to bottom, and its buttons below. */
export const DialogFrame = ({ title, children, actions, open = true, onClose }: DialogFrameProps) => {
  const styles = useStyles();
  return (
    <Dialog open={open} onOpenChange={onClose}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent className={styles.content}>{children}</DialogContent>
          <DialogActions>{actions}</DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
};
