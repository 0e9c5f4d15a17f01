/** Written by `npm run words`: the keys of the English texts, with the values that each needs. */

export interface Errors {
  "error": {
    "code": {
      "input/invalid": {
        "title": string;
        "todo": string;
      };
      "connection/missing": {
        "title": string;
        "todo": string;
      };
      "connection/insecure": {
        "title": string;
        "todo": string;
      };
      "connection/address": {
        "title": string;
        "todo": string;
      };
      "connection/sample-off": {
        "title": string;
        "todo": string;
      };
      "connection/unexpected": {
        "title": "{{answer}}";
        "todo": string;
      };
      "auth/required": {
        "title": string;
        "todo": string;
      };
      "auth/expired": {
        "title": string;
        "todo": string;
      };
      "auth/denied": {
        "title": string;
        "todo": string;
      };
      "auth/failed": {
        "title": "{{error}}";
        "todo": string;
      };
      "auth/timeout": {
        "title": string;
        "todo": string;
      };
      "auth/cancelled": {
        "title": string;
        "todo": string;
      };
      "auth/browser": {
        "title": string;
        "todo": string;
      };
      "auth/refresh-refused": {
        "title": "{{error}}";
        "todo": string;
      };
      "auth/no-refresh-token": {
        "title": string;
        "todo": string;
      };
      "auth/token-type": {
        "title": "{{type}}";
        "todo": string;
      };
      "auth/token-invalid": {
        "title": string;
        "todo": string;
      };
      "keychain/unavailable": {
        "title": string;
        "todo": string;
      };
      "vault/unreadable": {
        "title": string;
        "todo": string;
      };
      "service/unreachable": {
        "title": string;
        "todo": string;
      };
      "service/timeout": {
        "title": string;
        "todo": string;
      };
      "service/certificate-untrusted": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/certificate-expired": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/certificate-not-yet-valid": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/certificate-wrong-name": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/tls-outdated": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/tls-missing": {
        "title": "{{host}}";
        "todo": string;
      };
      "network/interrupted": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/busy": {
        "title": string;
        "todo": string;
      };
      "service/failed": {
        "title": string;
        "todo": string;
      };
      "service/forbidden": {
        "title": string;
        "todo": string;
      };
      "service/not-found": {
        "title": string;
        "todo": string;
      };
      "service/refused": {
        "title": string;
        "todo": string;
      };
      "service/malformed": {
        "title": string;
        "todo": string;
      };
      "service/too-large": {
        "title": string;
        "todo": string;
      };
      "service/endless": {
        "title": string;
        "todo": string;
      };
      "network/proxy-address": {
        "title": "{{field}}";
        "todo": string;
      };
      "network/proxy-unreachable": {
        "title": "{{proxy}}";
        "todo": string;
      };
      "network/proxy-password": {
        "title": "{{proxy}}";
        "todo": string;
      };
      "network/proxy-password-wrong": {
        "title": "{{proxy}}";
        "todo": string;
      };
      "network/proxy-scheme": {
        "title": "{{proxy}}{{schemes}}";
        "todo": string;
      };
      "network/proxy-refused": {
        "title": "{{proxy}}{{host}}";
        "todo": string;
      };
      "network/ca-file": {
        "title": "{{path}}";
        "todo": string;
      };
      "network/captive-portal": {
        "title": "{{host}}";
        "todo": string;
      };
      "cache/missing": {
        "title": string;
        "todo": string;
      };
      "cache/full": {
        "title": string;
        "todo": string;
      };
      "upload/folder-missing": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/folder-replaced": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/folder-unreadable": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/not-a-folder": {
        "title": string;
        "todo": string;
      };
      "upload/file-missing": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/file-unreadable": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/file-locked": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/file-changed": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/file-linked": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/interrupted": {
        "title": string;
        "todo": string;
      };
      "upload/stalled": {
        "title": string;
        "todo": string;
      };
      "upload/unanswered": {
        "title": string;
        "todo": string;
      };
      "upload/unproven": {
        "title": string;
        "todo": string;
      };
      "upload/not-arrived": {
        "title": string;
        "todo": string;
      };
      "upload/insecure-url": {
        "title": "{{host}}";
        "todo": string;
      };
      "upload/url-expired": {
        "title": string;
        "todo": string;
      };
      "upload/not-yet-valid": {
        "title": string;
        "todo": string;
      };
      "upload/clock-wrong": {
        "title": string;
        "todo": string;
      };
      "upload/denied": {
        "title": string;
        "todo": string;
      };
      "upload/refused": {
        "title": string;
        "todo": string;
      };
      "upload/too-large": {
        "title": "{{path}}";
        "todo": string;
      };
      "upload/damaged": {
        "title": string;
        "todo": string;
      };
      "upload/storage-failed": {
        "title": string;
        "todo": string;
      };
      "upload/uncertain": {
        "title": string;
        "todo": string;
      };
      "upload/name-taken": {
        "title": string;
        "todo": string;
      };
      "upload/batch-unknown": {
        "title": string;
        "todo": string;
      };
      "upload/batch-state": {
        "title": string;
        "todo": string;
      };
      "upload/cancelling": {
        "title": string;
        "todo": string;
      };
      "upload/other-session": {
        "title": string;
        "todo": string;
      };
      "upload/map-invalid": {
        "title": "{{lines}}";
        "todo": string;
      };
      "upload/hashing-stopped": {
        "title": string;
        "todo": string;
      };
      "upload/engine-stopped": {
        "title": string;
        "todo": string;
      };
      "draft/missing": {
        "title": string;
        "todo": string;
      };
      "draft/stopped": {
        "title": string;
        "todo": string;
      };
      "draft/changed": {
        "title": string;
        "todo": string;
      };
      "upload/scheduled": {
        "title": string;
        "todo": string;
      };
      "watch/limit": {
        "title": string;
        "todo": string;
      };
      "watch/overlaps": {
        "title": string;
        "todo": string;
      };
      "watch/unknown": {
        "title": string;
        "todo": string;
      };
      "settings/managed": {
        "title": string;
        "todo": string;
      };
      "policy/syntax": {
        "title": "{{faults}}";
        "todo": string;
      };
      "policy/unknown-key": {
        "title": "{{faults}}";
        "todo": string;
      };
      "policy/invalid": {
        "title": "{{faults}}";
        "todo": string;
      };
      "policy/unsafe": {
        "title": "{{path}}";
        "todo": string;
      };
      "policy/unreadable": {
        "title": "{{path}}";
        "todo": string;
      };
      "update/unreachable": {
        "title": string;
        "todo": string;
      };
      "update/damaged": {
        "title": string;
        "todo": string;
      };
      "update/untrusted": {
        "title": string;
        "todo": string;
      };
      "update/missing": {
        "title": string;
        "todo": string;
      };
      "update/busy": {
        "title": string;
        "todo": string;
      };
      "data/in-use": {
        "title": string;
        "todo": string;
      };
      "data/newer": {
        "title": string;
        "todo": string;
      };
      "data/corrupt": {
        "title": "{{file}}";
        "todo": string;
      };
      "data/moved-aside": {
        "title": "{{file}}";
        "todo": string;
      };
      "data/left-out": {
        "title": "{{part}}";
        "todo": string;
      };
      "data/unwritable": {
        "title": "{{path}}";
        "todo": string;
      };
      "data/unsynced": {
        "title": string;
        "todo": string;
      };
      "data/unsafe": {
        "title": "{{path}}{{reason}}";
        "todo": string;
      };
      "output/not-a-file": {
        "title": "{{path}}";
        "todo": string;
      };
      "output/data-directory": {
        "title": "{{path}}";
        "todo": string;
      };
      "preview/too-large": {
        "title": "{{limit}}";
        "todo": string;
      };
      "app/unsupported": {
        "title": string;
        "todo": string;
      };
      "app/cancelled": {
        "title": string;
        "todo": string;
      };
      "app/bug": {
        "title": string;
        "todo": string;
      };
    };
    "file": {
      "service/unreachable": {
        "title": string;
        "todo": string;
      };
      "service/not-found": {
        "title": string;
        "todo": string;
      };
      "service/refused": {
        "title": string;
        "todo": string;
      };
    };
    "host": {
      "service/unreachable": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/timeout": {
        "title": "{{host}}";
        "todo": string;
      };
      "service/busy": {
        "title": "{{host}}";
        "todo": string;
      };
    };
    "name": {
      "host": {
        "title": "{{host}}";
        "todo": string;
      };
      "proxy": {
        "title": "{{proxy}}";
        "todo": string;
      };
    };
    "fieldName": {
      "baseUrl": string;
      "authUrl": string;
      "clientId": string;
      "scope": string;
      "redirectUri": string;
      "PlanAfter": string;
      "AssignmentId": string;
      "path": string;
    };
    "field": {
      "invalid": "{{name}}";
      "insecure": "{{name}}";
      "userinfo": {
        "title": "{{name}}";
        "todo": string;
      };
      "query": {
        "title": "{{name}}";
        "todo": string;
      };
      "fragment": {
        "title": "{{name}}";
        "todo": string;
      };
    };
    "issuedBy": "{{issuer}}";
    "validity": "{{validFrom}}{{validTo}}{{clock}}";
    "clockOff": "{{minutes}}";
    "retryInSeconds_one": "{{count, number}}";
    "retryInSeconds_other": "{{count, number}}";
    "retryInMinutes_one": "{{count, number}}";
    "retryInMinutes_other": "{{count, number}}";
  };
}
interface Window {
  "common": {
    "address": string;
    "cancel": string;
    "city": string;
    "clearFilters": string;
    "clearSearch": string;
    "copy": "{{name}}";
    "close": string;
    "date": {
      "dd": string;
      "mm": string;
      "yyyy": string;
      "time": string;
      "invalid": "{{example}}";
      "invalidTime": "{{example}}";
      "choose": string;
      "today": string;
      "previousMonth": string;
      "nextMonth": string;
      "previousYear": string;
      "nextYear": string;
      "earlierYears": string;
      "laterYears": string;
      "changeYear": string;
      "changeMonth": string;
    };
    "dismiss": string;
    "dismissAll": string;
    "facility": string;
    "moreFiles_one": "{{count, number}}";
    "moreFiles_other": "{{count, number}}";
    "refresh": string;
    "columns": string;
    "hiddenColumns": "{{columns}}";
    "usualColumns": string;
    "resizeColumn": string;
    "tryAgain": string;
    "rawTime": "{{raw}}";
    "unnamed": string;
    "unreadable_one": "{{count, number}}";
    "unreadable_other": "{{count, number}}";
    "unreadableItem": string;
    "fromCache": "{{age}}{{at}}";
    "rows": {
      "selected_one": "{{count, number}}";
      "selected_other": "{{count, number}}";
      "copy": string;
      "clear": string;
      "copying": string;
      "notSelected": string;
      "copied_one": "{{count, number}}";
      "copied_other": "{{count, number}}";
      "copiedPart": "{{copied, number}}{{count, number}}";
    };
  };
  "count": {
    "assignment_one": "{{count, number}}";
    "assignment_other": "{{count, number}}";
    "day_one": "{{count, number}}";
    "day_other": "{{count, number}}";
    "event_one": "{{count, number}}";
    "event_other": "{{count, number}}";
    "file_one": "{{count, number}}";
    "file_other": "{{count, number}}";
    "folder_one": "{{count, number}}";
    "folder_other": "{{count, number}}";
    "hiddenFile_one": "{{count, number}}";
    "hiddenFile_other": "{{count, number}}";
    "inspectionPoint_one": "{{count, number}}";
    "inspectionPoint_other": "{{count, number}}";
    "link_one": "{{count, number}}";
    "link_other": "{{count, number}}";
    "minute_one": "{{count, number}}";
    "minute_other": "{{count, number}}";
    "protocol_one": "{{count, number}}";
    "protocol_other": "{{count, number}}";
    "systemFile_one": "{{count, number}}";
    "systemFile_other": "{{count, number}}";
    "specialFile_one": "{{count, number}}";
    "specialFile_other": "{{count, number}}";
    "unreadableFile_one": "{{count, number}}";
    "unreadableFile_other": "{{count, number}}";
  };
  "ago": {
    "now": string;
    "minute_one": "{{count, number}}";
    "minute_other": "{{count, number}}";
    "hour_one": "{{count, number}}";
    "hour_other": "{{count, number}}";
    "day_one": "{{count, number}}";
    "day_other": "{{count, number}}";
  };
  "left": {
    "moment": string;
    "about": "{{duration}}";
    "hours": "{{hours}}";
    "hoursMinutes": "{{hours}}{{minutes}}";
  };
  "shell": {
    "main": string;
    "starting": string;
    "back": string;
    "help": string;
    "forward": string;
    "sample": string;
    "online": string;
    "offlineSince": "{{at}}";
    "signedOut": string;
    "notices": string;
    "changesWaiting_one": "{{count, number}}";
    "changesWaiting_other": "{{count, number}}";
    "changesRefused_one": "{{count, number}}";
    "changesRefused_other": "{{count, number}}";
    "runningUploads": "{{count, number}}";
    "uploading_one": "{{count, number}}";
    "uploading_other": "{{count, number}}";
    "uploadsWaiting_one": "{{count, number}}";
    "uploadsWaiting_other": "{{count, number}}";
    "copyDetails": string;
    "copied": string;
    "copyImpossible": string;
    "versionUnknown": string;
    "proxy": {
      "title": string;
      "wanted": "{{proxy}}";
      "wrong": "{{proxy}}";
      "user": string;
      "password": string;
      "kept": string;
      "enter": string;
      "later": string;
    };
  };
  "connection": {
    "welcome": string;
    "lead": string;
    "sample": string;
    "sampleNote": string;
    "sampleOff": string;
    "title": string;
    "values": string;
    "connect": string;
    "anyway": string;
    "checking": string;
    "advanced": string;
    "field": {
      "baseUrl": string;
      "authUrl": string;
      "clientId": string;
      "scope": string;
    };
    "scopeHint": string;
    "found": {
      "answers": string;
      "unreachable": string;
      "noHost": string;
      "refused": string;
      "noWay": string;
      "silent": string;
    };
    "wrong": {
      "baseUrl": string;
      "authUrl": string;
      "clientId": string;
      "scope": string;
    };
  };
  "signIn": {
    "title": string;
    "sample": string;
    "service": string;
    "browseOffline": string;
    "offline": string;
    "waiting": string;
    "openAgain": string;
    "copyAddress": string;
    "copied": string;
    "notOpened": string;
    "finish_one": "{{count, number}}";
    "finish_other": "{{count, number}}";
  };
  "overview": {
    "title": string;
    "statuses": string;
    "noAssignments": string;
    "severities": string;
    "noPoints": string;
    "months": string;
    "noProtocols": string;
    "loading": string;
    "age_one": "{{count, number}}{{age}}";
    "age_other": "{{count, number}}{{age}}";
    "changes": string;
    "changesOf": "{{id}}";
    "sendChanges": string;
    "uploads": string;
    "allUploads": string;
    "noUploads": string;
  };
  "reach": {
    "service": string;
    "storage": "{{host}}";
    "proxy": "{{proxy}}";
    "someStorage": string;
    "unreachable": "{{who}}{{at}}";
    "unreachableTodo": string;
    "interrupted": "{{who}}{{at}}";
    "interruptedTodo": string;
    "held": "{{who}}{{at}}";
    "heldTodo": string;
    "tryNow": string;
    "doctor": string;
    "pausedUntil": "{{at}}";
    "storageOffline": "{{at}}";
    "storagePaused": "{{at}}";
  };
  "offline": {
    "title": string;
    "explained": string;
    "makeAvailable": string;
    "refreshAll": string;
    "pause": string;
    "continue": string;
    "completed": "{{age}}{{at}}{{size}}";
    "completedInPart": "{{age}}{{at}}{{size}}";
    "skipped_one": "{{count, number}}";
    "skipped_other": "{{count, number}}";
    "progressLabel": string;
    "beginning": string;
    "listing_one": "{{listed, number}}{{count, number}}";
    "listing_other": "{{listed, number}}{{count, number}}";
    "available_one": "{{available, number}}{{count, number}}";
    "available_other": "{{available, number}}{{count, number}}";
    "size": "{{size}}";
    "paused": "{{available}}";
  };
  "search": {
    "everywhere": string;
    "label": string;
    "hint": string;
    "nothing": "{{text}}";
    "nothingHint": string;
    "scope": {
      "asking_one": "{{count, number}}";
      "asking_other": "{{count, number}}";
      "complete": string;
      "part_one": "{{count, number}}";
      "part_other": "{{count, number}}";
      "offline_one": "{{count, number}}";
      "offline_other": "{{count, number}}";
      "failed_one": "{{count, number}}";
      "failed_other": "{{count, number}}";
      "more": string;
    };
    "all_one": "{{count, number}}";
    "all_other": "{{count, number}}";
    "results_one": "{{count, number}}";
    "results_other": "{{count, number}}";
    "protocols": string;
    "assignments": string;
    "uploads": string;
    "files": string;
    "more": string;
    "page": {
      "title": string;
      "kind": "{{name}}{{count, number}}";
      "kinds": string;
      "found_one": "{{count, number}}{{text}}";
      "found_other": "{{count, number}}{{text}}";
      "loading": string;
      "folder": string;
      "assignment": string;
      "started": string;
    };
  };
  "protocols": {
    "title": string;
    "search": string;
    "loading": string;
    "loaded_one": "{{loaded, number}}{{count, number}}";
    "loaded_other": "{{loaded, number}}{{count, number}}";
    "found": {
      "asking": "{{count, number}}{{loaded}}";
      "here": "{{count, number}}{{loaded}}";
      "offline": "{{count, number}}{{loaded}}";
      "part": "{{count, number}}{{loaded}}";
    };
    "empty": string;
    "noMatch": "{{query}}";
    "noMatchHint": string;
    "noFiltered": string;
    "noFilteredHint": string;
    "readAll": string;
    "stopReading": string;
    "among_one": "{{loaded, number}}{{count, number}}";
    "among_other": "{{loaded, number}}{{count, number}}";
    "sorted": string;
    "which": {
      "month": "{{month}}";
      "severity": "{{severity}}";
      "all": string;
    };
    "filter": {
      "label": string;
      "count": "{{count, number}}";
      "placeholder": string;
      "fromDay": string;
      "toDay": string;
      "availableOffline": string;
    };
    "save": string;
    "savesRows_one": "{{count, number}}";
    "savesRows_other": "{{count, number}}";
    "savePart": {
      "title_one": "{{count, number}}";
      "title_other": "{{count, number}}";
      "loaded_one": "{{count, number}}";
      "loaded_other": "{{count, number}}";
      "known_one": "{{count, number}}";
      "known_other": "{{count, number}}";
      "more": string;
      "readAll": string;
      "these_one": "{{count, number}}";
      "these_other": "{{count, number}}";
    };
    "saved": "{{path}}";
    "savedPart_one": "{{loaded, number}}{{count, number}}{{path}}";
    "savedPart_other": "{{loaded, number}}{{count, number}}{{path}}";
    "offline": string;
    "complete": string;
    "listOnly": string;
    "column": {
      "ZipCode": string;
      "InspectionDate": string;
      "Points": string;
    };
    "projects": {
      "title": string;
      "county": string;
      "otherCounty": string;
      "table": string;
      "empty": string;
      "shown_one": "{{shown, number}}{{count, number}}";
      "shown_other": "{{shown, number}}{{count, number}}";
      "noStatus": string;
      "noMatch": "{{county}}";
      "more_one": "{{count, number}}";
      "more_other": "{{count, number}}";
      "moreSorted_one": "{{count, number}}";
      "moreSorted_other": "{{count, number}}";
    };
    "events": {
      "title": string;
      "loading": string;
      "empty": string;
      "event": string;
      "id": string;
    };
  };
  "protocol": {
    "inspected": string;
    "points": string;
    "id": string;
    "assignments": string;
    "noAssignments": string;
    "inspectionPoints": string;
    "loadingPoints": string;
    "noPoints": string;
    "group": "{{name}}{{count, number}}";
    "noCategory": string;
    "noSeverity": string;
    "reference": "{{reference}}";
    "hasPicture": string;
    "unnamedPoint": string;
    "print": string;
    "details": string;
    "closeDetails": string;
    "category": string;
    "productType": string;
    "specificReference": string;
    "picture": string;
    "pictureYes": string;
    "pictureNo": string;
    "pointId": string;
    "nothingToDo": string;
    "nothingToDoHint": string;
    "view": {
      "label": string;
      "toDo": "{{count, number}}";
      "all": "{{count, number}}";
    };
    "filter": {
      "search": string;
      "severity": string;
      "everySeverity": string;
      "answer": string;
      "everyAnswer": string;
      "noAnswer": string;
      "withPicture": string;
      "shown_one": "{{shown, number}}{{count, number}}";
      "shown_other": "{{shown, number}}{{count, number}}";
      "noMatch": string;
    };
  };
  "assignment": {
    "title": string;
    "loading": string;
    "customer": string;
    "start": string;
    "performer": string;
    "id": string;
    "protocol": string;
    "status": string;
    "everyStatus": string;
    "noStatus": string;
    "upload": {
      "title": string;
      "drop": string;
      "choose": string;
      "chooseFiles": string;
    };
    "planAfter": {
      "title": string;
      "field": string;
      "missing": string;
      "save": string;
      "clear": string;
      "unknown": string;
      "cleared": string;
      "saved": "{{at}}";
      "last": "{{at}}{{on}}";
      "lastCleared": "{{on}}";
      "pastQuestion": string;
      "pastExplained": "{{at}}";
    };
    "change": {
      "waiting": string;
      "revoke": string;
      "planAfter": "{{at}}";
      "clearPlanAfter": string;
      "removeFile": "{{name}}";
      "removeFiles_one": "{{count, number}}";
      "removeFiles_other": "{{count, number}}";
      "removed_one": "{{count, number}}";
      "removed_other": "{{count, number}}";
      "partly_one": "{{done, number}}{{count, number}}";
      "partly_other": "{{done, number}}{{count, number}}";
      "progress": "{{done, number}}{{all, number}}";
      "keepRest": string;
      "saveReceipt": string;
      "reason": string;
      "key": string;
      "notRemoved": string;
      "kept": string;
    };
    "history": {
      "title": string;
      "folder": string;
      "started": string;
      "outcome": string;
    };
    "files": {
      "title": string;
      "explained": string;
      "loading": string;
      "file": string;
      "folder": string;
      "size": string;
      "uploadedBy": string;
      "since": string;
      "uploadedHere": string;
      "named": string;
      "actions": string;
      "copyKey": "{{name}}";
      "removeNamed": "{{name}}";
      "removeQuestion": string;
      "removeExplained": "{{name}}";
      "removeAction": string;
      "removeSelected": string;
      "removeMany_one": "{{count, number}}";
      "removeMany_other": "{{count, number}}";
      "removeManyExplained_one": "{{names}}{{count, number}}{{size}}";
      "removeManyExplained_other": "{{names}}{{count, number}}{{size}}";
      "andMore": "{{names}}{{count, number}}";
      "select": "{{name}}";
      "selectAll": string;
    };
  };
  "codes": {
    "PENDING": string;
    "PLANNED": string;
    "IN_PROGRESS": string;
    "COMPLETED": string;
    "CANCELLED": string;
    "CLOSED": string;
    "REJECTED": string;
    "CRITICAL": string;
    "HIGH": string;
    "MEDIUM": string;
    "LOW": string;
    "INFO": string;
    "NONE": string;
    "CONTRACTOR": string;
    "CUSTOMER": string;
  };
  "settings": {
    "title": string;
    "managed": string;
    "connection": string;
    "service": string;
    "sample": string;
    "change": string;
    "signIn": string;
    "signedOut": string;
    "goToSignIn": string;
    "signedIn": string;
    "signedInAs": "{{subject}}";
    "signOut": string;
    "signOutQuestion": string;
    "signOutExplained": string;
    "erase": string;
    "appearance": string;
    "theme": string;
    "themes": {
      "system": string;
      "light": string;
      "dark": string;
    };
    "languageAndDates": string;
    "language": string;
    "formats": string;
    "asSystem": "{{what}}";
    "dateFormat": string;
    "dateFormats": {
      "system": string;
      "iso": string;
    };
    "timeBase": string;
    "timeBaseHint": string;
    "timeBases": {
      "auto": string;
      "seconds": string;
      "milliseconds": string;
    };
    "example": "{{moment}}{{number}}";
    "uploads": string;
    "concurrency": string;
    "concurrencyAuto": string;
    "concurrencyHint": string;
    "receipt": string;
    "receiptHint": string;
    "receiptNone": string;
    "hours": string;
    "hoursHint": string;
    "speed": string;
    "speedInHours": string;
    "speedInHoursHint": string;
    "speedFrom": string;
    "speedTo": string;
    "leaveRoom": string;
    "leaveRoomHint": "{{from}}{{to}}";
    "leaveRoomWhen": {
      "working-hours": string;
      "always": string;
      "never": string;
    };
    "noLimit": string;
    "asAlways": string;
    "megabits": "{{count}}";
    "network": {
      "title": string;
      "explained": string;
      "proxy": string;
      "proxies": {
        "system": string;
        "none": string;
        "manual": string;
      };
      "address": string;
      "addressHint": string;
      "addressWrong": string;
      "exceptions": string;
      "exceptionsHint": string;
      "apply": string;
      "authorities": string;
      "noFile": string;
      "pick": string;
      "forget": string;
    };
    "rules": {
      "title": string;
      "none": string;
      "explained": string;
      "folder": string;
      "assignment": string;
      "confirmed": string;
      "actions": string;
      "changeNamed": "{{name}}";
      "changeTitle": "{{name}}";
      "changeExplained": string;
      "save": string;
      "removeNamed": "{{name}}";
      "clear": string;
      "clearQuestion": string;
      "clearExplained": string;
      "clearAction": string;
    };
    "desktop": {
      "title": string;
      "tray": string;
      "keepUploading": string;
      "keepUploadingHint": string;
      "startAtSignIn": string;
    };
    "updates": {
      "title": string;
      "mode": string;
      "modes": {
        "automatic": string;
        "off": string;
      };
      "channel": string;
      "channels": {
        "latest": string;
        "beta": string;
      };
      "off": {
        "build": string;
        "installer": string;
        "setting": string;
        "address": string;
      };
      "never": string;
      "current": "{{moment}}";
      "checking": string;
      "downloading": "{{version}}{{count}}";
      "ready": "{{version}}";
      "check": string;
      "restart": string;
      "notes": "{{version}}";
    };
    "storage": string;
    "cacheSize": "{{size}}";
    "cacheLimit": string;
    "cacheLimitHint": string;
    "clear": string;
    "clearQuestion": string;
    "clearExplained": string;
    "clearAction": string;
    "licences": string;
    "logLevel": string;
    "logLevels": {
      "error": string;
      "warn": string;
      "info": string;
      "debug": string;
    };
    "openLogs": string;
    "about": string;
    "version": string;
  };
  "shortcuts": {
    "title": string;
    "everywhere": string;
    "inTables": string;
    "inNewUpload": string;
    "search": string;
    "find": string;
    "intoTable": string;
    "readAgain": string;
    "rows": string;
    "pageOfRows": string;
    "ends": string;
    "headings": string;
    "width": string;
    "openRow": string;
    "menu": string;
    "sort": string;
    "select": string;
    "selectMore": string;
    "selectAll": string;
    "takePart": string;
    "choose": string;
    "chooseAlike": string;
    "close": string;
    "show": string;
    "key": {
      "control": string;
      "shift": string;
      "enter": string;
      "space": string;
      "escape": string;
      "pageUp": string;
      "pageDown": string;
      "home": string;
      "end": string;
    };
  };
  "help": {
    "search": string;
    "contents": string;
    "found_one": "{{count, number}}";
    "found_other": "{{count, number}}";
    "noMatch": "{{text}}";
  };
  "licences": {
    "title": string;
    "search": string;
    "loading": string;
    "count_one": "{{count, number}}";
    "count_other": "{{count, number}}";
    "none": string;
    "noMatch": "{{text}}";
  };
}
interface Uploads {
  "newUpload": {
    "title": string;
    "of": "{{first}}{{count, number}}";
    "choose": {
      "title": string;
      "explained": string;
      "folder": string;
      "files": string;
      "taking": string;
      "add": string;
    };
    "drop": {
      "here": string;
      "matched": string;
      "toThis": string;
    };
    "again": {
      "title": string;
      "explained_one": "{{count, number}}{{names}}";
      "explained_other": "{{count, number}}{{names}}";
      "add": string;
      "replace": string;
    };
    "progress": {
      "scanning": string;
      "found": "{{files}}{{folders}}";
      "updating": string;
      "listing": string;
      "listed": "{{read, number}}{{total, number}}";
      "updated_one": "{{read, number}}{{total, number}}{{count, number}}";
      "updated_other": "{{read, number}}{{total, number}}{{count, number}}";
      "left": "{{duration}}";
      "rest": string;
      "skip": string;
      "matching": string;
      "age_one": "{{count, number}}{{age}}";
      "age_other": "{{count, number}}{{age}}";
    };
    "target": {
      "label": string;
      "each": string;
      "one": string;
      "search": string;
      "nothing": string;
      "level": string;
      "levelOf_one": "{{level, number}}{{count, number}}";
      "levelOf_other": "{{level, number}}{{count, number}}";
      "top_one": "{{count, number}}";
      "top_other": "{{count, number}}";
      "names": string;
      "clashes": string;
    };
    "filter": {
      "label": string;
      "all": string;
      "undecided": string;
      "matched": string;
      "leftOut": string;
      "problems": string;
      "search": string;
      "none": string;
      "nothing": {
        "undecided": string;
        "undecidedHint": string;
        "allLeftOut": string;
        "matched": string;
        "leftOut": string;
        "problems": string;
      };
      "showAll": string;
    };
    "row": {
      "label": string;
      "loading": string;
      "part": string;
      "folder": string;
      "files": string;
      "assignment": string;
      "certainty": string;
      "problems": string;
      "loose": "{{first}}{{count, number}}";
      "take": "{{folder}}";
      "unknown": "{{id}}";
      "none": string;
      "selected_one": "{{count, number}}";
      "selected_other": "{{count, number}}";
    };
    "certainty": {
      "certain": string;
      "likely": string;
      "unsure": string;
      "none": string;
      "person": string;
      "map": string;
      "leftOut": string;
    };
    "reason": {
      "map": string;
      "confirmed": "{{found}}";
      "assignmentId": "{{found}}";
      "protocolId": "{{found}}";
      "facilityId": "{{found}}";
      "address": "{{found}}";
      "street": "{{found}}";
      "houseNumber": "{{found}}";
      "city": "{{found}}";
      "zipCode": "{{found}}";
      "person": "{{found}}";
      "performer": "{{found}}";
      "date": "{{found}}";
      "status": string;
    };
    "against": {
      "map": string;
      "confirmed": string;
      "assignmentId": "{{found}}";
      "protocolId": "{{found}}";
      "facilityId": "{{found}}";
      "address": "{{found}}";
      "street": "{{found}}";
      "houseNumber": "{{found}}";
      "city": "{{found}}";
      "zipCode": "{{found}}";
      "person": "{{found}}";
      "performer": "{{found}}";
      "date": "{{found}}";
      "status": string;
    };
    "question": {
      "unreadHere_one": "{{count, number}}";
      "unreadHere_other": "{{count, number}}";
      "unread_one": "{{count, number}}";
      "unread_other": "{{count, number}}";
      "unreadList": string;
      "characters": "{{found}}";
      "bestStatus": "{{found}}";
    };
    "badge": {
      "status": string;
      "other-assignment": string;
      "empty": string;
      "unreadable": string;
      "too-long": string;
      "too-large": string;
      "executable": string;
      "in-cloud": string;
      "clash": string;
      "more": "{{badge}}{{count, number}}";
    };
    "warning": {
      "status": "{{status}}";
      "otherAssignment": "{{found}}{{name}}";
      "empty_one": "{{count, number}}";
      "empty_other": "{{count, number}}";
      "unreadable_one": "{{count, number}}";
      "unreadable_other": "{{count, number}}";
      "tooLong_one": "{{count, number}}";
      "tooLong_other": "{{count, number}}";
      "tooLarge_one": "{{count, number}}";
      "tooLarge_other": "{{count, number}}";
      "executable_one": "{{count, number}}";
      "executable_other": "{{count, number}}";
      "inCloud_one": "{{count, number}}";
      "inCloud_other": "{{count, number}}";
      "clash_one": "{{count, number}}";
      "clash_other": "{{count, number}}";
    };
    "panel": {
      "label": string;
      "close": string;
      "candidates": string;
      "found": string;
      "search": string;
      "hint": string;
      "closedHint": string;
      "alike_one": "{{count, number}}";
      "alike_other": "{{count, number}}";
      "nothing": string;
      "nothingFound": "{{text}}";
      "more_one": "{{count, number}}";
      "more_other": "{{count, number}}";
      "leaveOut": string;
      "takeIn": string;
      "problems": string;
      "chosen": string;
    };
    "clash": {
      "title": string;
      "all": string;
      "file": "{{file}}";
      "earlier": "{{at}}";
      "known": string;
      "here": "{{folder}}";
      "hereUnknown": string;
      "mixed": string;
      "more_one": "{{count, number}}";
      "more_other": "{{count, number}}";
      "rename": string;
      "skip": string;
      "replace": string;
    };
    "names": {
      "own": string;
      "folder": string;
      "path": string;
    };
    "doubt": {
      "status": "{{status}}";
      "statusTodo": string;
      "other": "{{folder}}";
      "otherTodo": "{{found}}{{name}}";
    };
    "renames": {
      "title": string;
      "count_one": "{{count, number}}";
      "count_other": "{{count, number}}";
      "show": string;
      "loading": string;
      "file": string;
      "newName": string;
      "why": string;
      "reason": {
        "template": string;
        "taken": string;
        "characters": string;
        "reserved": string;
        "length": string;
        "composed": string;
      };
    };
    "start": {
      "sum": "{{folders}}{{files}}{{size}}{{assignments}}";
      "nothing": string;
      "comparing": string;
      "undecided_one": "{{count, number}}";
      "undecided_other": "{{count, number}}";
      "leftOut": "{{what}}";
      "action": string;
      "anyway": string;
    };
    "when": {
      "options": string;
      "starts": string;
      "receipt": "{{format}}";
      "label": string;
      "now": string;
      "at": string;
      "hours": string;
      "moment": string;
      "from": string;
      "to": string;
      "later": string;
      "laterHint": string;
      "managed": string;
    };
    "discard": {
      "action": string;
      "question": string;
      "explained_one": "{{count, number}}";
      "explained_other": "{{count, number}}";
      "confirm": string;
      "keep": string;
    };
    "undo": {
      "action": string;
      "done": "{{what}}";
      "last": string;
      "assign": "{{folder}}{{assignment}}";
      "assignMany_one": "{{count, number}}{{assignment}}";
      "assignMany_other": "{{count, number}}{{assignment}}";
      "leaveOut": "{{folder}}";
      "leaveOutMany_one": "{{count, number}}";
      "leaveOutMany_other": "{{count, number}}";
      "takeIn": "{{folder}}";
      "takeInMany_one": "{{count, number}}";
      "takeInMany_other": "{{count, number}}";
      "clash": string;
    };
    "waiting": {
      "title": string;
      "open": string;
    };
  };
  "uploads": {
    "title": string;
    "one": string;
    "empty": string;
    "emptyHint": string;
    "to": "{{assignment}}";
    "started": "{{at}}";
    "added": "{{at}}";
    "unnamed": "{{id}}";
    "leftOut": "{{what}}";
    "later_one": "{{count, number}}";
    "later_other": "{{count, number}}";
    "failing": string;
    "progressOf": "{{folder}}";
    "andMore": "{{names}}{{count, number}}";
    "find": {
      "search": string;
      "allStates": string;
      "period": string;
      "allDates": string;
      "today": string;
      "week": string;
      "month": string;
      "year": string;
      "none": string;
      "more": string;
    };
    "table": {
      "label": string;
      "folder": string;
      "assignment": string;
      "files": string;
      "progress": string;
    };
    "starts": "{{at}}";
    "continues": "{{at}}";
    "state": {
      "scheduled": string;
      "scanning": string;
      "running": string;
      "waiting": string;
      "paused": string;
      "finished": string;
      "cancelled": string;
      "finishedWithFailures": string;
    };
    "said": {
      "state": "{{state}}{{outcome}}";
      "paused": "{{reason}}";
      "batch": "{{folder}}{{sentence}}";
    };
    "action": {
      "remove": string;
      "removeWhich": string;
      "removeAll": string;
      "removeNone": string;
      "pause": string;
      "resume": string;
      "retryFailed": string;
      "retrySelected": string;
      "addLater": string;
      "reveal": string;
      "cancelQuestion": string;
      "cancel": string;
      "keep": string;
      "cancelExplained": "{{folder}}";
    };
    "receipt": {
      "save": string;
      "saving": string;
      "each": string;
      "beside": string;
      "open": string;
      "openSeveral": string;
      "show": string;
      "format": {
        "pdf": string;
        "xlsx": string;
        "csv": string;
        "json": string;
      };
    };
    "progress": {
      "found_one": "{{count, number}}";
      "found_other": "{{count, number}}";
      "done": "{{percent}}";
      "files_one": "{{done}}{{count, number}}";
      "files_other": "{{done}}{{count, number}}";
      "folders_one": "{{done}}{{count, number}}";
      "folders_other": "{{done}}{{count, number}}";
      "sent": "{{done}}{{all}}";
      "speed": "{{amount}}";
      "left": "{{duration}}";
      "throughput": "{{most}}";
      "uploaded": "{{count, number}}";
      "removed": "{{count, number}}";
      "skipped": "{{count, number}}";
      "failed": "{{count, number}}";
      "resent_one": string;
      "resent_other": "{{count, number}}";
      "notReplaced_one": string;
      "notReplaced_other": "{{count, number}}";
      "cancelled": "{{count, number}}";
    };
    "filter": {
      "label": string;
      "all": string;
      "waiting": string;
      "done": string;
      "failed": string;
      "removed": string;
    };
    "filterCount": "{{name}}{{count, number}}";
    "files": {
      "label": string;
      "loading": string;
      "empty": string;
      "readLater": string;
      "noneWaiting": string;
      "noneDone": string;
      "noneFailed": string;
      "noneRemoved": string;
      "retried": string;
      "file": string;
      "size": string;
      "state": string;
      "problem": string;
      "reasons": string;
      "everyReason": string;
      "onlyReason": string;
      "select": "{{file}}";
      "selectAll": string;
      "selected": "{{count, number}}{{total}}";
      "sameThere": string;
      "removedAt": "{{at}}";
      "notReplaced": string;
    };
    "verify": {
      "action": string;
      "title": "{{folder}}";
      "explained": string;
      "progress": string;
      "allSame_one": string;
      "allSame_other": "{{count, number}}";
      "same_one": "{{same, number}}{{count, number}}";
      "same_other": "{{same, number}}{{count, number}}";
      "changed": "{{count, number}}";
      "missing": "{{count, number}}";
      "unreadable": "{{count, number}}";
      "notUploaded": "{{count, number}}";
      "removed": "{{count, number}}";
      "differing": string;
    };
    "verdict": {
      "header": string;
      "same": string;
      "changed": string;
      "missing": string;
      "unreadable": string;
      "notUploaded": string;
      "removed": string;
    };
    "fileState": {
      "queued": string;
      "signing": string;
      "sending": string;
      "done": string;
      "skipped": string;
      "failed": string;
      "uncertain": string;
      "cancelled": string;
    };
  };
  "files": {
    "title": string;
    "search": string;
    "all_one": "{{count, number}}";
    "all_other": "{{count, number}}";
    "more_one": "{{count, number}}";
    "more_other": "{{count, number}}";
    "indexing_one": "{{done}}{{count, number}}";
    "indexing_other": "{{done}}{{count, number}}";
    "everyState": string;
    "fromDay": string;
    "toDay": string;
    "only": "{{name}}";
    "ofAssignment": string;
    "loading": string;
    "empty": string;
    "emptyHint": string;
    "nothing": string;
    "nothingHint": string;
    "assignment": string;
    "removed": string;
    "reported": string;
    "dropHere": string;
    "reading": string;
    "sent_one": "{{name}}";
    "sent_other": "{{name}}{{count, number}}";
    "found": "{{name}}";
    "notSent": "{{name}}";
    "alike": string;
    "inFolders": string;
    "stop": string;
  };
  "watched": {
    "title": string;
    "hint": string;
    "all": string;
    "empty": string;
    "emptyHint": string;
    "emptySignedOut": string;
    "state": {
      "scanning": string;
      "watching": string;
      "paused": string;
      "signedOut": string;
      "missing": string;
      "unreadable": string;
    };
    "settling_one": "{{count, number}}";
    "settling_other": "{{count, number}}";
    "waiting": {
      "soon_one": "{{count, number}}";
      "soon_other": "{{count, number}}";
      "until_one": "{{count, number}}{{at}}";
      "until_other": "{{count, number}}{{at}}";
      "paused_one": "{{count, number}}";
      "paused_other": "{{count, number}}";
    };
    "toMatch_one": "{{count, number}}{{folders}}";
    "toMatch_other": "{{count, number}}{{folders}}";
    "closed": "{{at}}";
    "sent": "{{at}}";
    "target": {
      "each": string;
    };
    "hours": {
      "between": "{{from}}{{to}}";
      "workingDays": "{{from}}{{to}}";
      "special": string;
    };
    "action": {
      "add": string;
      "review": string;
      "reviewOf": "{{folder}}";
      "uploadNow": string;
      "change": string;
      "remove": string;
      "of": "{{action}}{{folder}}";
      "removeQuestion": string;
      "removeExplained": "{{folder}}";
    };
    "form": {
      "addTitle": "{{folder}}";
      "changeTitle": "{{folder}}";
      "add": string;
      "save": string;
      "target": string;
      "each": string;
      "one": string;
      "when": string;
      "always": string;
      "between": string;
      "workingDays": string;
      "special": string;
      "from": string;
      "to": string;
      "existing": string;
    };
  };
}
interface Host {
  "about": {
    "version": "{{version}}";
    "runtime": "{{electron}}{{chrome}}{{node}}";
    "ok": string;
    "licences": string;
  };
  "closing": {
    "continues": string;
    "background": "{{app}}";
    "minimised": "{{app}}";
    "ok": string;
    "cancel": string;
    "quit": string;
    "quitQuestion": "{{app}}";
    "quitExplained_one": "{{count, number}}";
    "quitExplained_other": "{{count, number}}";
  };
  "menu": {
    "about": "{{app}}";
    "services": string;
    "hide": "{{app}}";
    "hideOthers": string;
    "unhide": string;
    "quit": "{{app}}";
    "file": string;
    "newUpload": string;
    "edit": string;
    "undo": string;
    "redo": string;
    "cut": string;
    "copy": string;
    "paste": string;
    "delete": string;
    "selectAll": string;
    "view": string;
    "reload": string;
    "toggleDevTools": string;
    "resetZoom": string;
    "zoomIn": string;
    "zoomOut": string;
    "togglefullscreen": string;
    "window": string;
    "minimize": string;
    "zoom": string;
    "front": string;
    "close": string;
    "help": string;
    "search": string;
    "find": string;
    "refresh": string;
    "settings": string;
    "shortcuts": string;
    "open": string;
    "showInFolder": string;
    "userGuide": string;
  };
  "notice": {
    "finished": "{{name}}";
    "paused": "{{name}}";
    "folders_one": "{{count, number}}";
    "folders_other": "{{count, number}}";
    "assignments_one": "{{count, number}}";
    "assignments_other": "{{count, number}}";
    "assignment": "{{id}}";
    "outcome_one": "{{done, number}}{{count, number}}{{target}}";
    "outcome_other": "{{done, number}}{{count, number}}{{target}}";
    "notReplaced_one": "{{count, number}}";
    "notReplaced_other": "{{count, number}}";
    "failed": "{{count, number}}";
    "more": "{{names}}{{count, number}}";
  };
  "page": {
    "accepted": {
      "title": string;
      "text": string;
    };
    "refused": {
      "title": string;
      "text": string;
    };
    "unknown": {
      "title": string;
      "text": string;
    };
  };
  "receipt": {
    "title": string;
    "fileName": "{{name}}{{date}}";
    "folderName": "{{name}}{{date}}";
    "partName": "{{name}}{{no}}{{of}}";
    "part": "{{no, number}}{{of, number}}{{first, number}}{{last, number}}";
    "page": "{{page}}{{pages}}";
    "service": string;
    "sample": "{{address}}";
    "sentBy": string;
    "sentByUnknown": string;
    "created": string;
    "timeZone": "{{at}}{{zone}}";
    "customer": string;
    "facility": string;
    "assignment": string;
    "fileOnAssignment": string;
    "time": string;
    "started": string;
    "finished": string;
    "notReplaced": string;
    "removedFiles": string;
    "removed": string;
    "cancelled": string;
    "remaining": string;
    "bytes": string;
    "sheetReceipt": string;
    "files": string;
    "keys": string;
    "sheetKeys": string;
    "key": string;
    "checksum": string;
    "unreadAssignment": "{{id}}";
    "noFiles": string;
  };
  "tray": {
    "open": "{{app}}";
    "pause": string;
    "resume": string;
    "idle": string;
    "watching": string;
    "uploading_one": "{{count, number}}{{percent}}";
    "uploading_other": "{{count, number}}{{percent}}";
    "waiting_one": "{{count, number}}";
    "waiting_other": "{{count, number}}";
    "paused_one": "{{count, number}}";
    "paused_other": "{{count, number}}";
    "stopped_one": "{{count, number}}";
    "stopped_other": "{{count, number}}";
    "scheduled_one": "{{count, number}}";
    "scheduled_other": "{{count, number}}";
  };
}
interface Cli {
  "cli": {
    "error": "{{text}}{{code}}";
    "hint": {
      "connection": string;
      "scope": string;
      "tokenStore": string;
      "proxyPassword": string;
    };
    "signIn": {
      "openAddress": string;
      "inBrowser": string;
      "in": string;
      "inAs": "{{subject}}";
      "out": string;
    };
    "service": "{{address}}";
    "managed": "{{keys}}";
    "ignored": "{{fields}}";
    "noService": string;
    "notOffline_one": "{{count, number}}";
    "notOffline_other": "{{count, number}}";
    "warning": {
      "past": "{{at}}";
      "status": "{{status}}";
      "other": "{{folder}}{{found}}{{name}}";
    };
    "mapProblem": {
      "columns": "{{line}}{{text}}";
      "quote": "{{line}}{{text}}";
      "cell-long": "{{line}}{{text}}";
      "lines-many": "{{line}}{{text}}";
      "patterns-much": "{{line}}{{text}}";
      "assignment-unknown": "{{line}}{{text}}";
      "path-outside": "{{line}}{{text}}";
      "path-unmatched": "{{line}}{{text}}";
      "folder-twice": "{{line}}{{text}}";
    };
    "match": {
      "listing": "{{read, number}}{{total, number}}";
      "updating": "{{read, number}}{{total, number}}";
      "timeLeft": "{{minutes, number}}";
      "matching": string;
      "closed": "{{folder}}{{status}}";
      "left_one": "{{count, number}}";
      "left_other": "{{count, number}}";
    };
    "planAfter": {
      "cleared": string;
      "set": "{{value}}{{at}}";
    };
    "files": {
      "found_one": "{{shown, number}}{{count, number}}";
      "found_other": "{{shown, number}}{{count, number}}";
      "removedOf_one": "{{done, number}}{{count, number}}";
      "removedOf_other": "{{done, number}}{{count, number}}";
      "foundMore_one": "{{shown, number}}{{count, number}}";
      "foundMore_other": "{{shown, number}}{{count, number}}";
      "none": string;
      "removed_one": "{{count, number}}";
      "removed_other": "{{count, number}}";
    };
    "list": {
      "page": "{{count, number}}{{total, number}}{{page}}";
      "offline": "{{at}}";
      "unreadable_one": "{{count, number}}";
      "unreadable_other": "{{count, number}}";
    };
    "upload": {
      "planned_one": "{{count, number}}{{size}}{{renamed, number}}{{leftOut}}";
      "planned_other": "{{count, number}}{{size}}{{renamed, number}}{{leftOut}}";
      "noRecord": string;
      "scanning_one": "{{count, number}}{{settled, number}}{{wait}}";
      "scanning_other": "{{count, number}}{{settled, number}}{{wait}}";
      "of": "{{done}}{{all}}";
      "failed": "{{count, number}}";
      "skipped": "{{count, number}}";
      "resent_one": "{{count, number}}";
      "resent_other": "{{count, number}}";
      "removed": "{{count, number}}";
      "notReplaced_one": "{{count, number}}";
      "notReplaced_other": "{{count, number}}";
      "waiting": "{{reason}}";
      "nextAttempt": "{{at}}";
      "later": "{{at}}";
      "kept": "{{at}}{{id}}";
      "stopped": "{{id}}";
      "cancelled": string;
      "cancelledStay_one": "{{count, number}}";
      "cancelledStay_other": "{{count, number}}";
      "summary_one": "{{done, number}}{{count, number}}{{skipped}}{{failed, number}}{{size}}{{seconds}}{{leftOut}}";
      "summary_other": "{{done, number}}{{count, number}}{{skipped}}{{failed, number}}{{size}}{{seconds}}{{leftOut}}";
      "next": "{{id}}{{id}}";
      "leftOut": "{{hidden, number}}{{system, number}}{{links, number}}{{special, number}}{{unreadable, number}}{{added}}";
      "addedLater_one": "{{count, number}}";
      "addedLater_other": "{{count, number}}";
      "none": string;
      "noneUnfinished": string;
      "noneFailed": string;
      "receiptSaved": "{{path}}";
      "receipt_one": "{{count, number}}{{path}}";
      "receipt_other": "{{count, number}}{{path}}";
      "report_one": "{{count, number}}{{path}}";
      "report_other": "{{count, number}}{{path}}";
    };
    "watch": {
      "none": string;
      "removed": "{{path}}";
      "matched": string;
      "hours": string;
      "state": {
        "scanning": string;
        "watching": string;
        "signedOut": string;
        "missing": string;
        "unreadable": string;
      };
      "settling_one": "{{count, number}}";
      "settling_other": "{{count, number}}";
      "waiting_one": "{{count, number}}";
      "waiting_other": "{{count, number}}";
      "toMatch_one": "{{count, number}}";
      "toMatch_other": "{{count, number}}";
      "opens": "{{at}}";
    };
    "verify": {
      "progress_one": "{{done, number}}{{count, number}}";
      "progress_other": "{{done, number}}{{count, number}}";
      "verdict": {
        "changed": string;
        "missing": string;
        "unreadable": string;
        "notUploaded": string;
        "removed": string;
      };
      "summary_one": "{{same, number}}{{count, number}}";
      "summary_other": "{{same, number}}{{count, number}}";
    };
    "file_one": "{{count, number}}";
    "file_other": "{{count, number}}";
  };
  "help": {
    "heading": {
      "usage": string;
      "arguments": string;
      "options": string;
      "globalOptions": string;
      "commands": string;
    };
    "term": {
      "options": string;
      "command": string;
    };
    "choices": "{{choices}}";
    "mapFileUnreadable": "{{path}}";
    "mapFileTooLarge": "{{megabytes}}{{path}}";
    "help": string;
    "version": string;
    "command": {
      "app": string;
      "sandbox": string;
      "doctor": string;
      "login": string;
      "logout": string;
      "status": string;
      "protocols": string;
      "assignments": string;
      "points": string;
      "events": string;
      "planAfter": string;
      "files": string;
      "filesFind": string;
      "filesList": string;
      "filesRemove": string;
      "upload": string;
      "uploads": string;
      "uploadsList": string;
      "show": string;
      "resume": string;
      "retry": string;
      "cancel": string;
      "report": string;
      "verify": string;
      "watch": string;
      "watchRun": string;
      "watchList": string;
      "watchRemove": string;
    };
    "option": {
      "home": string;
      "baseUrl": string;
      "authUrl": string;
      "clientId": string;
      "redirectUri": string;
      "scope": string;
      "tokenStore": string;
      "noBrowser": string;
      "json": string;
      "query": string;
      "page": string;
      "all": string;
      "offline": string;
      "protocol": string;
      "projects": string;
      "county": string;
      "clear": string;
      "assignment": string;
      "match": string;
      "map": string;
      "minCertainty": string;
      "level": string;
      "offlineAssignments": string;
      "dryRun": string;
      "nameTemplate": string;
      "onClash": string;
      "matchFolders": string;
      "existing": string;
      "at": string;
      "hours": string;
      "automaticReceipt": string;
      "concurrency": string;
      "bundle": string;
      "limitRate": string;
      "leaveRoom": string;
      "batch": string;
      "folder": string;
      "hash": string;
      "limit": string;
      "failed": string;
      "out": string;
      "format": string;
      "upload": string;
      "receipt": string;
      "eachAssignment": string;
    };
    "refused": {
      "unknownCommand": "{{name}}";
      "unknownOption": "{{name}}";
      "missingArgument": "{{name}}";
      "optionMissingArgument": "{{name}}";
      "missingMandatoryOptionValue": "{{name}}";
      "conflictingOption": "{{name}}{{other}}";
      "excessArguments": "{{got}}{{expected}}";
      "invalidArgument": "{{name}}{{other}}{{reason}}";
      "suggestion": "{{text}}{{names}}";
    };
    "usage": {
      "protocolOrProjects": string;
      "keysOrBatch": string;
      "textOrHash": string;
      "assignmentOrMatch": string;
      "watchTarget": string;
      "valueOrClear": string;
      "number": string;
      "batchOrUpload": string;
      "pdf": string;
    };
    "reason": {
      "page": string;
      "hash": string;
      "positive": string;
      "concurrency": string;
      "limitRate": string;
      "level": string;
      "probability": string;
      "at": string;
      "hours": string;
      "nameTemplate": string;
    };
  };
  "table": {
    "title": {
      "assignment": string;
      "batch": string;
      "state": string;
      "created": string;
      "files": string;
      "uploaded": string;
      "skipped": string;
      "failed": string;
      "size": string;
      "folder": string;
      "file": string;
      "attempts": string;
      "problem": string;
      "added": string;
      "renamed": string;
      "address": string;
      "city": string;
      "date": string;
      "points": string;
      "status": string;
      "name": string;
      "performer": string;
      "start": string;
      "category": string;
      "severity": string;
      "point": string;
      "answer": string;
      "reference": string;
      "picture": string;
      "decision": string;
      "certainty": string;
    };
    "decision": {
      "send": string;
      "ask": string;
      "none": string;
    };
    "batchState": {
      "scanning": string;
      "running": string;
      "paused": string;
      "finished": string;
      "cancelled": string;
    };
    "fileState": {
      "queued": string;
      "signing": string;
      "sending": string;
      "done": string;
      "skipped": string;
      "failed": string;
      "uncertain": string;
      "cancelled": string;
      "removed": string;
      "reported": string;
    };
    "reason": {
      "template": string;
      "taken": string;
      "characters": string;
      "reserved": string;
      "length": string;
      "composed": string;
    };
    "uploadedHere": "{{at}}";
    "reported": "{{at}}";
    "yes": string;
  };
}

export interface WindowWords extends Window, Uploads, Errors {}
export interface HostWords extends Host, Cli, Errors {}
export interface DoctorWords {
  "check": {
    "version": string;
    "free space": string;
    "keychain": string;
    "data directory": string;
    "stored data": string;
    "connection": string;
    "sign-in": string;
    "proxy": string;
    "name lookup": string;
    "network connection": string;
    "certificate": string;
    "certificate checks": string;
    "clock": string;
    "service": string;
    "sign-in address": string;
    "service data": string;
    "storage": string;
    "test upload": string;
  };
  "state": {
    "ok": string;
    "warning": string;
    "failed": string;
    "skipped": string;
  };
  "found": {
    "text": "{{text}}";
    "usable": string;
    "unused": string;
    "signedIn": string;
    "signedOut": string;
    "answers": string;
    "free": "{{size}}";
    "direct": string;
    "directBySettings": string;
    "directByPolicy": string;
    "directBySystem": string;
    "directByVariable": "{{variable}}";
    "proxyBySettings": "{{proxy}}";
    "proxyByPolicy": "{{proxy}}";
    "proxyBySystem": "{{proxy}}";
    "proxyByVariable": "{{proxy}}{{variable}}";
    "lookedUpByProxy": string;
    "connected": "{{address}}";
    "certificate": "{{until}}{{issuer}}";
    "certificateOfOffice": "{{until}}{{issuer}}";
    "certificateEnds": "{{until}}{{issuer}}";
    "alwaysChecked": string;
    "withoutTls": string;
    "clock": "{{seconds}}";
    "speed": "{{size}}";
    "noSession": string;
    "noAnswer": string;
    "noStorage": string;
    "noTestFiles": string;
    "afterProxy": "{{proxy}}";
    "afterProxyRefusal": "{{proxy}}";
    "afterName": "{{host}}";
    "afterSecurity": "{{host}}";
    "afterHost": "{{host}}";
    "afterSetting": string;
  };
  "title": string;
  "explained": string;
  "checking": string;
  "again": string;
  "well": string;
  "warned_one": "{{count}}";
  "warned_other": "{{count}}";
  "failed_one": "{{count}}";
  "failed_other": "{{count}}";
  "columns": {
    "check": string;
    "verdict": string;
    "found": string;
    "time": string;
  };
  "of": "{{check}}{{host}}";
  "copy": string;
  "copied": string;
  "save": string;
  "saveHint": string;
  "saved": "{{path}}";
}
