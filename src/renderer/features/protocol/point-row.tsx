import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { Image16Regular } from '@fluentui/react-icons';
import type { MouseEvent } from 'react';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { SeverityBadge } from '../../domain/protocols.tsx';
import { bareButton } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  point: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 180px) minmax(0, 148px)',
    // In a narrow window the name has its own line above the answer and the severity.
    '@media screen and (max-width: 799px)': { gridTemplateColumns: 'minmax(0, 1fr) auto' },
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalL}`,
    alignItems: 'start',
    justifyItems: 'start',
    padding: tokens.spacingVerticalM,
    marginInline: `calc(-1 * ${tokens.spacingVerticalM})`,
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':has(:focus-visible)': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    // A protocol can have hundreds: those out of view are not laid out.
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 72px',
    '@media print': { contentVisibility: 'visible', breakInside: 'avoid' },
  },
  main: { minWidth: 0, '@media screen and (max-width: 799px)': { gridColumnStart: 1, gridColumnEnd: -1 } },
  // Forced colours drop the background but show the outline.
  shown: {
    outline: `1px solid ${tokens.colorTransparentStroke}`,
    outlineOffset: '-1px',
    '@media screen': { backgroundColor: tokens.colorNeutralBackground1Selected },
  },
  name: {
    ...bareButton,
    padding: 0,
    fontWeight: tokens.fontWeightSemibold,
    textAlign: 'start',
    cursor: 'inherit',
    outline: 'none',
  },
  text: {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 4,
    overflow: 'hidden',
    '@media print': { display: 'block' },
  },
  facts: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `0 ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  picture: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
});

type PointRowProps = {
  readonly point: InspectionPoint;
  /** Whether its details are open. */
  readonly shown: boolean;
  /** Whether its category is said, which is not in the heading above it. */
  readonly withCategory: boolean;
  readonly onShow: (id: string) => void;
};

/** One inspection point of the list. A click anywhere in it shows its details. */
export const PointRow = ({ point, shown, withCategory, onShow }: PointRowProps) => {
  const styles = useStyles();
  const { InspectionPointName, Answer, Severity, Description, ProductType, SpecificReference, HasImage } = point;
  const reference = SpecificReference && t('protocol.reference', { reference: SpecificReference });
  const facts = [withCategory && point.Category, ProductType, reference].filter(Boolean).join(' · ');
  const show = ({ currentTarget }: MouseEvent) => {
    if (getSelection()?.isCollapsed === false) return;
    // The keyboard continues from here: Escape closes the details.
    currentTarget.querySelector('button')?.focus({ preventScroll: true });
    onShow(point.ProtocolInspectionPointId);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the button inside.
    <li data-result className={mergeClasses(styles.point, shown && styles.shown)} onClick={show}>
      <div className={styles.main}>
        <button type="button" className={mergeClasses(styles.name, styles.text)} aria-expanded={shown}>
          {InspectionPointName || t('protocol.unnamedPoint')}
        </button>
        {Description !== '' && <Text className={styles.text}>{Description}</Text>}
        <div className={styles.facts}>
          {facts !== '' && <span className={styles.text}>{facts}</span>}
          {HasImage && (
            <span className={styles.picture}>
              <Image16Regular aria-hidden="true" /> {t('protocol.hasPicture')}
            </span>
          )}
        </div>
      </div>
      <Text className={styles.text}>{Answer}</Text>
      <SeverityBadge severity={Severity} />
    </li>
  );
};
