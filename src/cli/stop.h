/*
 * Ctrl-C and SIGTERM: while the program runs the first one asks it to stop, and the second ends it
 * at once; so does one that comes before it runs.  Ending at once loses nothing acknowledged.
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

void stop_watch(void); /* before the first thread */
void stop_wait(void);  /* until the first signal */

#endif
