/** Every known kind of damage to every file of the data directory. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(1);
