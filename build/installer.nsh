; Additions to electron-builder's installer for Windows. The installer refuses to replace a newer version, and keeps the program's
; folder apart from folders of data. It adds the scheme of the sign-in, entries in the menus of folders and files, the command's
; folder on the PATH, and the folder for policies. The uninstaller asks whether to delete the data.
; SHELL_CONTEXT is the user's registry or, with /allusers, the computer's.

!define DESK_SCHEME "Software\Classes\${APP_ID}"
!define DESK_PATH_FOLDER "$INSTDIR\bin"

; Adds an entry to the menu of folders (Directory) or files (*). Explorer starts the program once for each selected item.
!macro deskAddToMenu KIND
  WriteRegStr SHELL_CONTEXT "Software\Classes\${KIND}\shell\${APP_ID}" "" "$(deskUpload)"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${KIND}\shell\${APP_ID}" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${KIND}\shell\${APP_ID}\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--" "%1"'
!macroend

; An installation for all users has no entry in "Send to", because each user has a "Send to" folder.
!define DESK_SEND_TO "$SENDTO\${PRODUCT_FILENAME}.lnk"

; Adds the command's folder to the PATH, or removes it. Unlike strings of NSIS, those of PowerShell can hold a PATH of any length.
; Unlike most other ways, PowerShell can read the PATH without replacing %VARIABLES%. The values are passed in the environment,
; so that none has to be quoted. PowerShell stops at the first error: on a computer that restricts PowerShell, it might otherwise
; replace a PATH that it could not read.
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
  ; Tells running programs, such as Explorer, about the new PATH, so that terminals opened from now on have it. The installer does
  ; not wait long for programs that do not respond.
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

; Creates the folder for policies. Administrators can write to it, and users can read it. The folder is created with these rights
; in one step, so that nobody can use it before they apply. An existing folder is not changed, because the app checks the owner of
; the folder before it reads a policy.
!define DESK_POLICY_RIGHTS "O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)"
!macro deskMakePolicyFolder
  System::Call 'advapi32::ConvertStringSecurityDescriptorToSecurityDescriptor(t "${DESK_POLICY_RIGHTS}", i 1, *p .r1, p 0)i.r0'
  ${If} $0 <> 0
    ; SECURITY_ATTRIBUTES of a 32-bit program, because every NSIS installer is one.
    System::Call '*(i 12, p r1, i 0)p.r2'
    System::Call 'kernel32::CreateDirectory(t "$APPDATA\${PRODUCT_FILENAME}", p r2)'
    System::Free $2
    System::Call 'kernel32::LocalFree(p r1)'
  ${EndIf}
!macroend

; Sets $4 to "mixed" if the chosen folder $0 is FOLDER, is in it, or contains it. The uninstaller removes the whole folder of the
; program, so this folder must neither contain data (as %LOCALAPPDATA% does) nor be in a folder of data.
!macro deskKeepApart FOLDER
  StrCpy $1 "${FOLDER}\"
  StrLen $2 $1
  StrCpy $2 "$0\" $2
  StrLen $3 "$0\"
  StrCpy $3 $1 $3
  ${If} $2 == $1
  ${OrIf} $3 == "$0\"
    StrCpy $4 "mixed"
  ${EndIf}
!macroend

; Refuses to replace a newer version that is installed for the user or the computer (ROOT). An older version may have a known
; weakness, and cannot open the data of a newer one. Ends with ERROR_PRODUCT_VERSION, which software distribution understands.
!macro deskRefuseOlder ROOT
  ReadRegStr $0 ${ROOT} "${UNINSTALL_REGISTRY_KEY}" "DisplayVersion"
  ${If} $0 != ""
    Call deskCompareVersion
    ${If} $5 == 1
      MessageBox MB_OK|MB_ICONSTOP "$(deskNewer)" /SD IDOK
      SetErrorLevel 1638
      Quit
    ${EndIf}
  ${EndIf}
!macroend

; Splits TEXT at the first SIGN, such as 1.3.0-beta.2 into 1.3.0 and beta.2.
!macro deskSplit TEXT SIGN BEFORE AFTER
  ${WordFind} "${TEXT}${SIGN}" "${SIGN}" "+1" ${BEFORE}
  StrLen ${AFTER} "${BEFORE}${SIGN}"
  StrCpy ${AFTER} "${TEXT}" "" ${AFTER}
!macroend

!macro customInit
  !insertmacro deskRefuseOlder HKLM
  !insertmacro deskRefuseOlder HKCU
!macroend

!macro customInstall
  ${If} $installMode == "all"
    !insertmacro deskMakePolicyFolder
  ${EndIf}
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}" "" "URL:${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  ; After --, nothing in an address is read as an option.
  WriteRegStr SHELL_CONTEXT "${DESK_SCHEME}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--" "%1"'
  !insertmacro deskAddToMenu Directory
  !insertmacro deskAddToMenu *
  ${If} $installMode != "all"
    ; Explorer appends the paths of all selected items to the arguments.
    CreateShortCut "${DESK_SEND_TO}" "$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--"
  ${EndIf}
  !insertmacro deskChangePath add
!macroend

!macro customHeader
  ; Without the dates of the packed files, two installers of the same sources are identical.
  SetDateSave off
  !ifndef BUILD_UNINSTALLER
    !include WordFunc.nsh
    LangString deskUpload 1033 "Upload with ${PRODUCT_NAME}"
    LangString deskUpload 1053 "Ladda upp med ${PRODUCT_NAME}"
    LangString deskUpload 1031 "Mit ${PRODUCT_NAME} hochladen"
    LangString deskNewer 1033 "${PRODUCT_NAME} $0 is installed on this computer. It is newer than ${VERSION}, so nothing was changed.$\r$\n$\r$\nTo return to the older version, uninstall the newer one first."
    LangString deskNewer 1053 "${PRODUCT_NAME} $0 är installerat på den här datorn. Det är nyare än ${VERSION}, så inget har ändrats.$\r$\n$\r$\nAvinstallera den nyare versionen först om du vill gå tillbaka till den äldre."
    LangString deskNewer 1031 "${PRODUCT_NAME} $0 ist auf diesem Computer installiert. Diese Version ist neuer als ${VERSION}; daher wurde nichts geändert.$\r$\n$\r$\nWenn Sie zur älteren Version zurückkehren möchten, deinstallieren Sie zuerst die neuere."

    ; Sets $5 to 1 if version $0 is newer than this one, to 2 if it is older, otherwise to 0. Compares semantic versions:
    ; 1.3.0-beta.2 is older than 1.3.0-beta.10, which is older than 1.3.0.
    Function deskCompareVersion
      !insertmacro deskSplit $0 - $1 $2
      !insertmacro deskSplit ${VERSION} - $3 $4
      ${VersionCompare} $1 $3 $5
      ${If} $5 != 0
      ${OrIf} $2 == $4
        Return
      ${EndIf}
      ${If} $2 == ""
        StrCpy $5 1
      ${ElseIf} $4 == ""
        StrCpy $5 2
      ${Else}
        !insertmacro deskSplit $2 . $6 $7
        !insertmacro deskSplit $4 . $8 $9
        System::Call 'kernel32::lstrcmpi(t r6, t r8)i.r6'
        ${If} $6 == 0
          IntOp $6 $7 - $9
        ${EndIf}
        ${If} $6 > 0
          StrCpy $5 1
        ${ElseIf} $6 < 0
          StrCpy $5 2
        ${EndIf}
      ${EndIf}
    FunctionEnd

    ; Replaces a folder that would be mixed with data. Runs before the section that installs, so that it checks every folder: one
    ; chosen on a page, one from /D=, and that of an earlier version.
    Section "-deskFolder"
      ; Removes ".", ".." and a trailing backslash, which only a drive has.
      System::Call 'kernel32::GetFullPathName(t "$INSTDIR\.", i ${NSIS_MAX_STRLEN}, t .r0, p 0)'
      StrCpy $1 $0 1 -1
      ${If} $1 == "\"
        StrCpy $0 $0 -1
      ${EndIf}
      StrCpy $4 ""
      SetShellVarContext current
      !insertmacro deskKeepApart "$LOCALAPPDATA\${PRODUCT_FILENAME}"
      !insertmacro deskKeepApart "$APPDATA\${PRODUCT_FILENAME}"
      StrCpy $5 "$LOCALAPPDATA\Programs\${PRODUCT_FILENAME}"
      SetShellVarContext all
      !insertmacro deskKeepApart "$APPDATA\${PRODUCT_FILENAME}"
      ${If} $installMode == "all"
        StrCpy $5 "$PROGRAMFILES64\${PRODUCT_FILENAME}"
      ${Else}
        SetShellVarContext current
      ${EndIf}
      ${If} $4 == "mixed"
        StrCpy $INSTDIR $5
      ${EndIf}
    SectionEnd
  !else
    LangString deskDeleteData 1033 "Also delete the data of ${PRODUCT_NAME} on this computer?$\r$\n$\r$\nThis includes the record of what was uploaded. Files in your folders and at the service stay."
    LangString deskDeleteData 1053 "Ta även bort data som tillhör ${PRODUCT_NAME} på den här datorn?$\r$\n$\r$\nDet gäller även uppgifterna om vad som har laddats upp. Filer i dina mappar och hos tjänsten finns kvar."
    LangString deskDeleteData 1031 "Auch die Daten von ${PRODUCT_NAME} auf diesem Computer löschen?$\r$\n$\r$\nDazu gehört die Aufzeichnung darüber, was hochgeladen wurde. Dateien in Ihren Ordnern und beim Dienst bleiben erhalten."
  !endif
!macroend

!macro customUnInstall
  ; An update also removes these entries, because it uninstalls the old version. The new version adds them again, and may be in
  ; another folder, or for the computer instead of the user. Entries of the old version would start a program that is gone.
  !insertmacro deskChangePath remove
  DeleteRegKey SHELL_CONTEXT "${DESK_SCHEME}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Directory\shell\${APP_ID}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\*\shell\${APP_ID}"
  ${If} $installMode != "all"
    Delete "${DESK_SEND_TO}"
  ${EndIf}
  ${IfNot} ${isUpdated}
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
      ; Removes the folder for policies only if it is empty.
      RMDir "$APPDATA\${PRODUCT_FILENAME}"
    ${EndIf}
  ${EndIf}
!macroend
