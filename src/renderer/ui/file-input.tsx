import type { Ref } from 'react';

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
