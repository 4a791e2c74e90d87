const page = (title: string, text: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body style="font-family:sans-serif"><div>${text}</div></body></html>`

/** The pages that stand where an answer should be, all but two of them with status 200, in the account's language. */
export const pages = {
  quota: page('エラー', '1 日にサービスを呼び出した回数が多すぎます: urlfetch'),
  'function-missing': page('Error', 'Script function not found: doPost'),
  'too-many': page('Error', 'There are too many scripts running simultaneously for this Google user account.'),
  failed: page('Error', 'Exception: the script completed but did not return anything.'),
  login: page('Google Drive: Sign-in', 'Sign in to continue to Google Drive'),
  lost: page('Page Not Found', 'Sorry, unable to open the file at this time.'),
  notAllowed: page('Error 405', 'The request method is inappropriate for the URL.'),
  moved: page('Moved Temporarily', 'The document has moved.')
} as const
