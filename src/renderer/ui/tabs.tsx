import { makeStyles, mergeClasses, Tab, TabList, type TabListProps, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  tabs: {
    flexShrink: 0,
    flexWrap: 'wrap',
    margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`,
    '@media print': { display: 'none' },
  },
});

type TabsProps<Value extends string> = Pick<TabListProps, 'className' | 'size'> & {
  readonly label: string;
  readonly values: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly hintOf?: (value: Value) => string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

export const Tabs = <Value extends string>(props: TabsProps<Value>) => {
  const { label, values, nameOf, hintOf, value, onChange, className, size = 'medium' } = props;
  return (
    <TabList
      className={mergeClasses(useStyles().tabs, className)}
      size={size}
      aria-label={label}
      selectedValue={value}
      onTabSelect={(_, chosen) => onChange(values.find((one) => one === chosen.value) ?? value)}
    >
      {values.map((one) => (
        <Tab key={one} value={one} title={hintOf?.(one)}>
          {nameOf(one)}
        </Tab>
      ))}
    </TabList>
  );
};
