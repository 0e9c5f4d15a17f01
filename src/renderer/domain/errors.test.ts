import { expect, it } from 'vitest';
import { errorReport } from './errors.tsx';

it('has the version, the time, the code and the details', () => {
  const error = { code: 'data/corrupt', message: 'no header', retry: 'never', details: { path: 'a.sqlite' } } as const;
  expect(errorReport(error, '1.2.3', new Date(0))).toBe(
    'Inspection Desk 1.2.3, 1970-01-01T00:00:00.000Z\ndata/corrupt: no header\npath: a.sqlite',
  );
});
