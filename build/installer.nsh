; What the installer for Windows does beyond electron-builder's own: the scheme of the sign-in, the command's folder on
; the PATH, and a question about data. SHELL_CONTEXT is the user's registry, or with /allusers the computer's.

!define DESK_SCHEME "Software\Classes\${APP_ID}"
!define DESK_PATH_FOLDER "$INSTDIR\bin"

; PowerShell reads the PATH as it is stored and of any length: strings of NSIS end after some thousand characters, and
; most other ways replace %VARIABLES% in it. Everything that varies is passed in the environment, so nothing is quoted.
; It stops at the first error: where offices restrict PowerShell the PATH cannot be read, and would be replaced.
!macro deskChangePath ACTION
  System::Call 'kernel32::SetEnvironmentVariable(t "DESK_ACTION", t "${ACTION}")'
  System::Call 'kernel32::SetEnvironmentVariable(t "DESK_FOLDER", t "${DESK_PATH_FOLDER}")'
  ${If} $installMode == "all"
    System::Call 'kernel32::SetEnvironmentVariable(t "DESK_KEY", t "HKLM:\SYSTEM\CurrentControlSet\Control\Session Manager\Environment")'
  ${Else}
    System::Call 'kernel32::SetEnvironmentVariable(t "DESK_KEY", t "HKCU:\Environment")'
  ${EndIf}
  nsExec::ExecToLog `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "$$ErrorActionPreference = 'Stop'; $$old = (Get-Item -LiteralPath $$env:DESK_KEY).GetValue('Path', '', 'DoNotExpandEnvironmentNames'); $$new = @($$old -split ';' | Where-Object { $$_ -and $$_ -ne $$env:DESK_FOLDER }); if ($$env:DESK_ACTION -eq 'add') { $$new += $$env:DESK_FOLDER }; Set-ItemProperty -LiteralPath $$env:DESK_KEY -Name Path -Value ($$new -join ';') -Type ExpandString"`
  Pop $0
  ; Windows that are opened from now on see it. The installer does not wait for programs that do not answer.
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}" "" "URL:${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  ; Behind -- nothing in an address is an option.
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--" "%1"'
  !insertmacro deskChangePath add
!macroend

!macro customHeader
  !ifdef BUILD_UNINSTALLER
    LangString deskDeleteData 1033 "Also delete the data of ${PRODUCT_NAME} on this computer?$\r$\n$\r$\nThis includes the record of what was uploaded. Files in your folders and at the service stay."
    LangString deskDeleteData 1053 "Ta även bort data som tillhör ${PRODUCT_NAME} på den här datorn?$\r$\n$\r$\nDet gäller även uppgifterna om vad som har laddats upp. Filer i dina mappar och hos tjänsten finns kvar."
    LangString deskDeleteData 1031 "Auch die Daten von ${PRODUCT_NAME} auf diesem Computer löschen?$\r$\n$\r$\nDazu gehört die Aufzeichnung darüber, was hochgeladen wurde. Dateien in Ihren Ordnern und beim Dienst bleiben erhalten."
  !endif
!macroend

; Not by an update, which removes the old version before it installs the new one.
!macro customUnInstall
  ${IfNot} ${isUpdated}
    !insertmacro deskChangePath remove
    DeleteRegKey SHELL_CONTEXT "${DESK_SCHEME}"
    ; The app registers itself for its user, too.
    DeleteRegKey HKCU "${DESK_SCHEME}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"

    SetShellVarContext current
    RMDir /r "$LOCALAPPDATA\inspection-desk-updater"
    StrCpy $1 "keep"
    ${If} ${isDeleteAppData}
      StrCpy $1 "delete"
    ${ElseIfNot} ${Silent}
      MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(deskDeleteData)" IDNO +2
      StrCpy $1 "delete"
    ${EndIf}
    ${If} $1 == "delete"
      RMDir /r "$LOCALAPPDATA\${PRODUCT_FILENAME}"
      RMDir /r "$APPDATA\${PRODUCT_FILENAME}"
    ${EndIf}
    ${If} $installMode == "all"
      SetShellVarContext all
    ${EndIf}
  ${EndIf}
!macroend
