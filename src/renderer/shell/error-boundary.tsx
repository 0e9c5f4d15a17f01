import { Component, type ReactNode } from 'react';
import { DeskError, type ErrorData, toErrorData } from '../../contract/errors.ts';
import { Failure } from '../domain/errors.tsx';

type Props = { readonly children: ReactNode };
type State = { readonly error: ErrorData | undefined };

/** The error of a render. Its message comes from this code and is safe to show. */
const asBug = (error: unknown): ErrorData =>
  error instanceof Error && !(error instanceof DeskError)
    ? { ...toErrorData(error), message: `${error.name}: ${error.message}` }
    : toErrorData(error);

/** Shows an error instead of children that fail to render. React offers only a class for this. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: asBug(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
