/** Fields of forms. */
import { makeStyles, Select } from '@fluentui/react-components';
import type { Ref } from 'react';

const useChoiceStyles = makeStyles({ choice: { maxWidth: '232px' } });

type ChoiceProps = {
  readonly label: string;
  /** The entry for no choice. */
  readonly all: string;
  /** The name of a value, which may be empty. */
  readonly nameOf: (value: string) => string;
  readonly values: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

/** A choice of one value, or of all. */
export const Choice = ({ label, all, nameOf, values: found, value, onChange }: ChoiceProps) => {
  // The chosen value stays in the list when no record has it any more.
  const values = value === undefined || found.includes(value) ? found : [...found, value];
  return (
    <Select
      className={useChoiceStyles().choice}
      aria-label={label}
      // By position: any text may be a value, even an empty one.
      value={value === undefined ? -1 : values.indexOf(value)}
      onChange={(_, data) => onChange(values[Number(data.value)])}
    >
      <option value={-1}>{all}</option>
      {values.map((text, position) => (
        <option key={text} value={position}>
          {nameOf(text)}
        </option>
      ))}
    </Select>
  );
};

type FileInputProps = {
  readonly input: Ref<HTMLInputElement>;
  readonly onFiles: (files: readonly File[]) => void;
};

/** The system's picker of files. It is hidden; a click on `input` opens it. */
export const FileInput = ({ input, onFiles }: FileInputProps) => (
  <input
    ref={input}
    type="file"
    multiple
    hidden
    onChange={({ currentTarget }) => {
      const files = [...(currentTarget.files ?? [])];
      // Otherwise the same files could not be chosen again.
      currentTarget.value = '';
      if (files.length > 0) onFiles(files);
    }}
  />
);
