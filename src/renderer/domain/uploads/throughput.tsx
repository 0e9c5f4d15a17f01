import { useEffect, useRef, useState } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

const sampleMs = 1000;
const samples = 60;

/** The speed of an upload over the last minute, since the page was opened. */
export const Throughput = ({ batch }: { readonly batch: Batch }) => {
  const speed = useRef(batch.bytesPerSecond);
  speed.current = batch.bytesPerSecond;
  const [speeds, setSpeeds] = useState<readonly number[]>([]);
  useEffect(() => {
    setSpeeds([speed.current]);
    const timer = setInterval(() => setSpeeds((before) => [...before.slice(1 - samples), speed.current]), sampleMs);
    return () => clearInterval(timer);
  }, []);
  if (speeds.length < 2) return null;
  const most = formatBytes(Math.max(...speeds));
  return <Sparkline values={speeds} length={samples} label={t('uploads.progress.throughput', { most })} />;
};
