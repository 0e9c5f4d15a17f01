import { expect, test } from 'vitest';
import { Settings } from '../../settings/schema.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { uploadRules } from './upload-rules.ts';

const night = [{ from: '18:00', to: '06:00' }];
const noon = [{ from: '12:00', to: '13:00' }];
const moment = new Date('2026-03-10T12:30');
const settings = (managed: SettingsStore['managed'] = []) => ({
  get: () => Settings.parse({ uploads: { hours: night } }),
  managed,
});

test('the hours of the settings count where none are wanted, and those of the organisation always', () => {
  expect(uploadRules({}, settings(), moment)).toMatchObject({ schedule: { hours: night }, isHeldBack: true });
  expect(uploadRules({ schedule: { hours: noon } }, settings(), moment)).toMatchObject({
    schedule: { hours: noon },
    isHeldBack: false,
  });
  expect(uploadRules({ schedule: { hours: [] } }, settings(), moment)).toEqual({});
  const managed = settings(['uploads.hours']);
  expect(uploadRules({ schedule: { hours: [] } }, managed, moment)).toMatchObject({
    schedule: { hours: night },
    isHeldBack: true,
  });
});

test('a time without hours keeps those of the settings', () => {
  const notBeforeMs = moment.getTime() - 1;
  expect(uploadRules({ schedule: { notBeforeMs } }, settings(), moment).schedule).toMatchObject({
    notBeforeMs,
    hours: night,
  });
});

test('the receipt of the settings is saved unless another one, or none, is wanted', () => {
  const usual = { get: () => Settings.parse({ uploads: { receipt: 'xlsx' } }), managed: [] };
  expect(uploadRules({}, usual, moment)).toEqual({ receipt: 'xlsx' });
  expect(uploadRules({ receipt: 'csv' }, usual, moment)).toEqual({ receipt: 'csv' });
  expect(uploadRules({ receipt: 'none' }, usual, moment)).toEqual({});
});
