/** Some damages of every kind; all of them are in stored-data.long.test.ts. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(5);
