/*
 * Ctrl-C and SIGTERM: the first one asks a program that is ready to stop, the second ends it at
 * once, and so does one that comes before it is ready.  Ending at once loses nothing acknowledged.
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

void stop_watch(void); /* before the first thread */
void stop_ready(void); /* from here on the first signal asks */
void stop_wait(void);  /* until it does */

#endif
