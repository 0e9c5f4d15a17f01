@echo off
rem Starts the command line of Inspection Desk. In a script, Windows also waits for a program with windows. The exit code of the
rem last line is that of this script, so ERRORLEVEL is not used: the caller may have a variable of that name.
"%~dp0..\Inspection Desk.exe" %*
