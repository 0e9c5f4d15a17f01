import { type NameTemplate, ownNameTemplate } from '../../../contract/uploads.ts';
import { t } from '../../words/words.ts';

/** The name templates that people choose from. */
export const nameTemplates: readonly { readonly template: NameTemplate; readonly name: () => string }[] = [
  { template: ownNameTemplate, name: () => t('newUpload.names.own') },
  { template: '{folder} - {name}', name: () => t('newUpload.names.folder') },
  { template: '{path}', name: () => t('newUpload.names.path') },
];
