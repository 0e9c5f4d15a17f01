@echo off
rem The command line of Inspection Desk. Within a script Windows waits for a program that has windows, and knows how it ended.
"%~dp0..\Inspection Desk.exe" %*
exit /b %ERRORLEVEL%
