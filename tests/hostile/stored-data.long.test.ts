/** Tests every known damage to the data directory. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(1);
