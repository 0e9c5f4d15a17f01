import { Button, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { SeverityBadge } from '../../domain/protocols/severity-badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  pane: {
    boxSizing: 'border-box',
    position: 'sticky',
    top: 0,
    maxHeight: 'calc(100vh - 130px)',
    overflow: 'auto',
    padding: tokens.spacingHorizontalL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    overflowWrap: 'anywhere',
    '@media (max-width: 999px)': {
      position: 'fixed',
      top: 'auto',
      zIndex: 2,
      insetBlockEnd: tokens.spacingVerticalL,
      insetInlineEnd: tokens.spacingHorizontalL,
      width: '340px',
      boxShadow: tokens.shadow16,
    },
    '@media screen and (max-width: 479px)': {
      insetBlockStart: 0,
      insetBlockEnd: 0,
      insetInlineStart: 0,
      insetInlineEnd: 0,
      width: 'auto',
      maxHeight: 'none',
      border: 'none',
      borderRadius: 0,
    },
    '@media print': { display: 'none' },
  },
  header: {
    display: 'flex',
    alignItems: 'flex-start',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalS,
  },
  title: { margin: `${tokens.spacingVerticalXS} 0 ${tokens.spacingVerticalM}`, fontSize: tokens.fontSizeBase400 },
  description: { marginTop: tokens.spacingVerticalM, whiteSpace: 'pre-wrap' },
});

type PointDetailsProps = { readonly point: InspectionPoint; readonly onClose: () => void };

/** Everything the service says about one inspection point, beside the list. */
export const PointDetails = ({ point, onClose }: PointDetailsProps) => {
  const styles = useStyles();
  const { InspectionPointName, Category, Answer, Severity, ProductType, SpecificReference, HasImage } = point;
  return (
    <aside className={styles.pane} aria-label={t('protocol.details')}>
      <div className={styles.header}>
        <h3 className={styles.title} translate="no">
          {InspectionPointName}
        </h3>
        <Tooltip content={t('protocol.closeDetails')} relationship="label">
          <Button appearance="subtle" icon={<Dismiss20Regular />} onClick={onClose} />
        </Tooltip>
      </div>
      <Facts
        facts={[
          { name: t('protocol.filter.severity'), value: <SeverityBadge severity={Severity} /> },
          { name: t('protocol.filter.answer'), value: Answer },
          { name: t('protocol.category'), value: Category },
          { name: t('protocol.productType'), value: ProductType },
          { name: t('protocol.specificReference'), value: SpecificReference },
          { name: t('protocol.picture'), value: HasImage ? t('protocol.pictureYes') : t('protocol.pictureNo') },
          { name: t('protocol.pointId'), value: point.ProtocolInspectionPointId },
        ]}
      />
      {point.Description !== '' && <p className={styles.description}>{point.Description}</p>}
    </aside>
  );
};
