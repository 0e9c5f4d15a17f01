import { Component, type ReactNode } from 'react';
import { DeskError, type ErrorData, toErrorData } from '../../contract/errors.ts';
import { Failure } from '../domain/errors/failure.tsx';

type Props = { readonly children: ReactNode };
type State = { readonly error: ErrorData | undefined };

/** Our own code failed: its message is ours and safe to show. */
const asBug = (error: unknown): ErrorData =>
  error instanceof Error && !(error instanceof DeskError)
    ? { ...toErrorData(error), message: `${error.name}: ${error.message}` }
    : toErrorData(error);

/** Shows a failure in the place of children that cannot be rendered. React knows no other way than a class. */
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
