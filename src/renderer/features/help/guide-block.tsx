import { Link, makeStyles, tokens } from '@fluentui/react-components';
import type { Block, Inline } from './guide.ts';

const useStyles = makeStyles({
  text: { margin: 0, lineHeight: tokens.lineHeightBase400 },
  list: { margin: 0, paddingInlineStart: tokens.spacingHorizontalXXL, lineHeight: tokens.lineHeightBase400 },
  table: { borderCollapse: 'collapse', width: '100%' },
  heading: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke1}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    textAlign: 'start',
  },
  cell: {
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    verticalAlign: 'top',
    lineHeight: tokens.lineHeightBase400,
  },
  code: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
});

type TextProps = { readonly text: readonly Inline[]; readonly onGo: (id: string) => void };

const GuideText = ({ text, onGo }: TextProps) => {
  const styles = useStyles();
  // The guide never changes, so positions are stable.
  return text.map((part, position) => {
    const key = `${position} ${part.text}`;
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>;
    if (part.kind === 'code') {
      return (
        <code key={key} className={styles.code}>
          {part.text}
        </code>
      );
    }
    const { id } = part.kind === 'link' ? part : { id: undefined };
    return id === undefined ? (
      part.text
    ) : (
      <Link key={key} as="button" inline onClick={() => onGo(id)}>
        {part.text}
      </Link>
    );
  });
};

type GuideBlockProps = { readonly block: Block; readonly onGo: (id: string) => void };

/** A paragraph, a list or a table of the guide. */
export const GuideBlock = ({ block, onGo }: GuideBlockProps) => {
  const styles = useStyles();
  if (block.kind === 'paragraph') {
    return (
      <p className={styles.text}>
        <GuideText text={block.text} onGo={onGo} />
      </p>
    );
  }
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul';
    return (
      <List className={styles.list}>
        {block.items.map((item) => (
          <li key={item.map(({ text }) => text).join('')}>
            <GuideText text={item} onGo={onGo} />
          </li>
        ))}
      </List>
    );
  }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {block.header.map((name) => (
            <th key={name} scope="col" className={styles.heading}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row) => (
          <tr
            key={row
              .flat()
              .map(({ text }) => text)
              .join(' ')}
          >
            {row.map((cell, column) => (
              <td key={block.header[column]} className={styles.cell}>
                <GuideText text={cell} onGo={onGo} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
