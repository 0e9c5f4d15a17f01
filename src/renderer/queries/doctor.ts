import { useQuery } from '@tanstack/react-query';
import type { DoctorReport } from '../../contract/doctor.ts';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { useDesk } from '../state/context.tsx';

type Examination = {
  readonly report: DoctorReport | undefined;
  readonly error: ErrorData | undefined;
  readonly busy: boolean;
  readonly run: () => void;
};

/** The doctor's report: checks while it is rendered for the first time, and on request; main stops when nobody shows it. */
export const useDoctor = (): Examination => {
  const { run, cancel } = useDesk().doctor;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['doctor.run'],
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => void cancel());
      return run();
    },
  });
  return {
    report: data,
    error: error === null ? undefined : toErrorData(error),
    busy: isFetching,
    run: () => void refetch(),
  };
};
