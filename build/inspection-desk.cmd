@echo off
rem The command line of Inspection Desk. Within a script Windows waits for a program that has windows. Its exit code is
rem that of the last line: the caller may have a variable named ERRORLEVEL.
"%~dp0..\Inspection Desk.exe" %*
