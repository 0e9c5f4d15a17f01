import { Button } from '@fluentui/react-components';
import { useApp } from '../../state/context.tsx';
import { t } from '../../words/words.ts';

/** Opens the page that finds out what is wrong. */
export const OpenDoctor = ({ small = false }: { readonly small?: boolean }) => {
  const open = useApp((state) => state.open);
  return (
    <Button {...(small && { size: 'small' })} onClick={() => open({ name: 'doctor' })}>
      {t('reach.doctor')}
    </Button>
  );
};
