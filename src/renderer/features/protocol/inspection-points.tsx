import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { Image16Regular } from '@fluentui/react-icons';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { groupPoints } from './group-points.ts';
import { SeverityBadge } from './severity-badge.tsx';

const useStyles = makeStyles({
  group: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  heading: { margin: `${tokens.spacingVerticalS} 0 0`, fontSize: tokens.fontSizeBase300 },
  list: { listStyle: 'none', margin: 0, padding: 0 },
  point: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 180px) 132px',
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalL}`,
    alignItems: 'start',
    justifyItems: 'start',
    padding: `${tokens.spacingVerticalM} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    overflowWrap: 'anywhere',
    // A protocol can have hundreds; those out of sight are not laid out.
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 72px',
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

const Point = ({ point }: { readonly point: InspectionPoint }) => {
  const styles = useStyles();
  const { InspectionPointName, Answer, Severity, Description, ProductType, SpecificReference, HasImage } = point;
  const facts = [ProductType, SpecificReference && `Reference ${SpecificReference}`].filter(Boolean).join(' · ');
  return (
    <li className={styles.point}>
      <div>
        <Text weight="semibold" block>
          {InspectionPointName}
        </Text>
        {Description !== '' && <Text block>{Description}</Text>}
        <div className={styles.facts}>
          {facts !== '' && <span>{facts}</span>}
          {HasImage && (
            <span className={styles.picture}>
              <Image16Regular aria-hidden="true" /> Has a picture
            </span>
          )}
        </div>
      </div>
      <Text>{Answer}</Text>
      <SeverityBadge severity={Severity} />
    </li>
  );
};

/** Inspection points under the headings of their categories. */
export const InspectionPoints = ({ points }: { readonly points: readonly InspectionPoint[] }) => {
  const styles = useStyles();
  return groupPoints(points).map(({ category, points: grouped }) => (
    <div key={category} className={styles.group}>
      <h3 className={styles.heading}>
        {category} ({grouped.length})
      </h3>
      <ul className={styles.list}>
        {grouped.map((point) => (
          <Point key={point.ProtocolInspectionPointId} point={point} />
        ))}
      </ul>
    </div>
  ));
};
