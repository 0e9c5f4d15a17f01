/** Saves the protocols in view as a spreadsheet, after a question if only a part of them is loaded. */

import { Button, ProgressBar, Text } from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import type { CachedProtocol } from '../../../contract/resources.ts';
import { ErrorMessage } from '../../domain/errors.tsx';
import type { Rows } from '../../queries/use-window-query.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { toMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** The most rows of one call, and of one file. */
const step = 1000;
const mostRows = 200_000;

/** A time of the service as an ISO day; empty if it has none. */
const isoDay = (raw: number): string => {
  const date = new Date(toMilliseconds(raw));
  return raw === 0 || Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
};

type Sheet = { readonly name: string; readonly header: string[]; readonly rows: (string | number)[][] };

type Read = (offset: number, limit: number) => Promise<Rows<CachedProtocol>>;

/** All rows of `read`, as a sheet. */
export const protocolSheet = async (read: Read): Promise<Sheet> => {
  const rows: Sheet['rows'] = [];
  for (let total = 1; rows.length < Math.min(total, mostRows); ) {
    const answer = await read(rows.length, step);
    if (answer.rows.length === 0) break;
    total = answer.total;
    for (const row of answer.rows) {
      const { Address, City, ZipCode, FacilityId, InspectionDate, Points, InspectionProtocolId } = row;
      rows.push([Address, City, ZipCode, FacilityId, isoDay(InspectionDate), Points, InspectionProtocolId]);
    }
  }
  const header = [
    t('common.address'),
    t('common.city'),
    t('protocols.column.ZipCode'),
    t('common.facility'),
    t('protocols.column.InspectionDate'),
    t('protocols.column.Points'),
    t('protocol.id'),
  ];
  return { name: t('protocols.title'), header, rows };
};

type SavePartDialogProps = {
  readonly rows: number;
  /** How many rows the service has; undefined if that is not known. */
  readonly of: number | undefined;
  /** Why the rest could not be read. */
  readonly error: ErrorData | undefined;
  /** Whether the rest is being read. */
  readonly readsAll: boolean;
  readonly isComplete: boolean;
  readonly onRead: (readsAll: boolean) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
};

/** Asks before an incomplete list is saved, and reads the rest on request. */
export const SavePartDialog = (props: SavePartDialogProps) => {
  const { rows, of, error, readsAll, isComplete, onRead, onSave, onClose } = props;
  const began = useRef(false);
  useEffect(() => {
    // After a failure the user decides again.
    if (error !== undefined && !readsAll) began.current = false;
    if (!began.current || !isComplete) return;
    began.current = false;
    onSave();
  });
  const begin = (): void => {
    began.current = true;
    onRead(true);
  };
  const cancel = (): void => {
    began.current = false;
    if (readsAll) onRead(false);
    onClose();
  };
  return (
    <DialogFrame
      title={t('protocols.savePart.title', { count: rows })}
      onClose={cancel}
      actions={
        <>
          <Button appearance="primary" disabledFocusable={readsAll} onClick={begin}>
            {t('protocols.savePart.readAll')}
          </Button>
          <Button disabledFocusable={readsAll} onClick={onSave}>
            {t('protocols.savePart.these', { count: rows })}
          </Button>
          <Button onClick={cancel}>{t('common.cancel')}</Button>
        </>
      }
    >
      <Text role="status">
        {t('protocols.savePart.loaded', { count: rows })}{' '}
        {of === undefined ? t('protocols.savePart.more') : t('protocols.savePart.known', { count: of })}
      </Text>
      {error !== undefined && <ErrorMessage error={error} />}
      {readsAll && <ProgressBar {...(of !== undefined && { value: rows, max: of })} />}
    </DialogFrame>
  );
};
