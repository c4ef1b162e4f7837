"""A small core for Trapeza: all operations of core-openapi.json on SQLite, with Python's standard library alone.

    CORE_TOKEN=… python3 core.py core.db 8090

A new file gets three customers and a year of bookings. It is a test system: it says so in /health and shows its one-time codes.
"""
import hashlib, hmac, json, os, re, secrets, sqlite3, sys
from datetime import date, datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

TABLES = """
create table people (id text primary key, username text unique, password text, name text);
create table accounts (id text primary key, iban text unique, name text, status text);
create table holders (account text, person text, primary key (account, person));
-- One row for each entry; `number` is never used again. `day` is the booking day, or the value day while it is pending.
create table entries (number integer primary key autoincrement, account text, status text, day text, at text, cents integer,
  code text, balance integer, name text, iban text, text text, end_to_end text, payment text);
create index entries_by_day on entries (account, status, day, number);
-- The primary key is what makes a payment happen once.
create table payments (id text primary key, question text, status text, reason text);
create table challenges (id text primary key, person text, context text, code text, expires text, used integer default 0);
create table wrong_codes (person text, at text);
create table keys (name text primary key, value text);
"""


class Refused(Exception):
    """An answer other than 200."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


def now():
    return datetime.now(timezone.utc)


def moment(time):
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def money(cents):
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


# --- 1. Questions are checked before anything is done -------------------------------------------------------------------

AMOUNT = re.compile(r"(0|[1-9]\d{0,12})(\.\d{1,2})?")


def text_of(question, name, longest=200):
    value = question.get(name)
    if not isinstance(value, str) or len(value) > longest:
        raise Refused(400, f"{name}: a text is expected")
    return value


def cents_of(question):
    """The amount of a question in euro cents; this bank has euro accounts only."""
    amount, currency = text_of(question, "amount"), text_of(question, "currency")
    if not AMOUNT.fullmatch(amount) or currency != "EUR":
        raise Refused(400, "amount, currency: an amount in EUR is expected")
    whole, _, rest = amount.partition(".")
    return int(whole) * 100 + int(rest.ljust(2, "0") or 0)


def day_of(query, name):
    try:
        value = query[name]
        if date.fromisoformat(value).isoformat() == value:
            return value
    except (KeyError, ValueError):
        pass
    raise Refused(400, f"{name}: a day is expected")


def held(db, account, person):
    """The account, if this person holds it now. To everybody else it does not exist."""
    row = db.execute("select a.* from accounts a join holders h on h.account = a.id where a.id = ? and h.person = ?",
                     (account, person)).fetchone()
    if row is None:
        raise Refused(404, "no such account")
    return row


# --- 2. Accounts and funds: enough for card issuers ---------------------------------------------------------------------


def booked(db, account, before="9999"):
    row = db.execute("select balance from entries where account = ? and status = 'booked' and day < ? order by day desc, number desc",
                     (account, before)).fetchone()
    return row[0] if row else 0


def available(db, account):
    pending = db.execute("select sum(cents) from entries where account = ? and status = 'pending' and cents < 0", (account,))
    return booked(db, account) + (pending.fetchone()[0] or 0)


def ping(db, **_):
    # The functions are called as the operations of the contract: find_accounts is findAccounts.
    offered = [re.sub("_(.)", lambda found: found[1].upper(), run.__name__) for _, _, run in OPERATIONS]
    return {"status": "ok", "test": True, "operations": offered}


def find_accounts(db, psuId, **_):
    accounts = []
    for row in db.execute("select a.* from accounts a join holders h on h.account = a.id where h.person = ? order by a.id", (psuId,)):
        owners = db.execute("select p.name from people p join holders h on h.person = p.id where h.account = ?", (row["id"],))
        accounts.append({"id": row["id"], "iban": row["iban"], "bban": None, "msisdn": None, "currency": "EUR",
                         "name": row["name"], "product": "Current account", "type": "CACC",
                         "ownerName": ", ".join(name for name, in owners), "status": row["status"],
                         "balance": money(available(db, row["id"]))})
    return {"psuId": psuId, "accounts": accounts}


def has_funds(db, accountId, person, body, **_):
    account, cents = held(db, accountId, person), cents_of(body)
    is_open = account["status"] == "enabled"
    return {"accountId": accountId, "currency": "EUR", "fundsAvailable": is_open and available(db, accountId) >= cents}


# --- 3. Balances, transactions, statements: account information ---------------------------------------------------------


def read_balances(db, accountId, person, **_):
    held(db, accountId, person)
    row = db.execute("select max(at) from entries where account = ?", (accountId,)).fetchone()
    amounts = {"closingBooked": booked(db, accountId, date.today().isoformat()), "interimBooked": booked(db, accountId),
               "interimAvailable": available(db, accountId)}
    return {"accountId": accountId, "balances": [
        {"type": kind, "currency": "EUR", "amount": money(cents), "includesCreditLine": False, "at": row[0] or moment(now())}
        for kind, cents in amounts.items()]}


def transaction(row):
    is_booked = row["status"] == "booked"
    return {"id": f"T{row['number']}", "status": row["status"], "bookingDate": row["day"] if is_booked else None,
            "valueDate": row["day"], "at": row["at"], "currency": "EUR", "amount": money(row["cents"]), "code": row["code"],
            "balance": money(row["balance"]) if is_booked else None, "counterpartyName": row["name"],
            "counterpartyIban": row["iban"], "remittanceInformation": row["text"], "endToEndId": row["end_to_end"],
            "paymentId": row["payment"], "exchange": None, "proprietaryCode": "CARD" if "-CCRD-" in row["code"] else None}


def cursor(db, account, status, number):
    """Names a place in one list, and nobody can make one for another list."""
    key = db.execute("select value from keys where name = 'cursors'").fetchone()[0].encode()
    seal = hmac.new(key, f"{account} {status} {number}".encode(), "sha256").hexdigest()[:16]
    return f"{number}.{seal}"


def list_transactions(db, accountId, person, query, **_):
    held(db, accountId, person)
    start, end, status, limit = day_of(query, "from"), day_of(query, "to"), query.get("status"), query.get("limit", "")
    if status not in ("booked", "pending") or not re.fullmatch("[1-9][0-9]{0,2}|1000", limit) or start > end:
        raise Refused(400, "status, limit or days")
    place = ("9999", 0)
    if (after := query.get("after")) is not None:
        number = after.partition(".")[0]
        if not re.fullmatch("[0-9]{1,15}", number) or not hmac.compare_digest(after.encode(), cursor(db, accountId, status, number).encode()):
            raise Refused(400, "after: not a cursor of this list")
        place = tuple(db.execute("select day, number from entries where number = ?", (number,)).fetchone())
    rows = db.execute("""select * from entries where account = ? and status = ? and day between ? and ? and (day, number) < (?, ?)
                         order by day desc, number desc limit ?""", (accountId, status, start, end, *place, int(limit) + 1)).fetchall()
    page = rows[:int(limit)]
    return {"accountId": accountId, "transactions": [transaction(row) for row in page],
            "next": cursor(db, accountId, status, page[-1]["number"]) if len(rows) > len(page) else None}


def read_transaction(db, accountId, transactionId, person, **_):
    held(db, accountId, person)
    number = transactionId[1:] if re.fullmatch("T[0-9]{1,15}", transactionId) else "0"
    row = db.execute("select * from entries where account = ? and number = ?", (accountId, number)).fetchone()
    if row is None:
        raise Refused(404, "no such transaction")
    return {"accountId": accountId, "transaction": transaction(row)}


def statements_of(db, account):
    """One for each month from the first booking to the last month that is over, newest first."""
    first = db.execute("select min(day) from entries where account = ? and status = 'booked'", (account,)).fetchone()[0]
    month_after = date.today().replace(day=1)
    while first and month_after.isoformat() > first:
        month = (month_after - timedelta(days=1)).replace(day=1)
        days = (month.isoformat(), (month_after - timedelta(days=1)).isoformat())
        credits, debits, ins, outs = db.execute(
            """select sum(max(cents, 0)), sum(min(cents, 0)), sum(cents > 0), sum(cents < 0) from entries
               where account = ? and status = 'booked' and day between ? and ?""", (account, *days)).fetchone()
        yield {"id": days[0][:7], "currency": "EUR", "from": days[0], "to": days[1], "opening": money(booked(db, account, days[0])),
               "closing": money(booked(db, account, month_after.isoformat())), "credits": money(credits or 0),
               "debits": money(debits or 0), "creditCount": ins or 0, "debitCount": outs or 0,
               "createdAt": f"{month_after}T03:00:00Z"}
        month_after = month


def list_statements(db, accountId, person, query, **_):
    held(db, accountId, person)
    start, end = day_of(query, "from"), day_of(query, "to")
    return {"accountId": accountId, "statements": [each for each in statements_of(db, accountId)
                                                   if each["from"] >= start and each["to"] <= end]}


def read_statement(db, accountId, statementId, person, **_):
    held(db, accountId, person)
    for each in statements_of(db, accountId):
        if each["id"] == statementId:
            return {"accountId": accountId, "statement": each}
    raise Refused(404, "no such statement")


# --- 4. Payments: the price first, then once and for ever ---------------------------------------------------------------

LIMIT = 15_000_00


def is_iban(text):
    turned = text[4:] + text[:4]
    return bool(re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", text)) and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def quote_transfer(db, body, **_):
    if body.get("product") not in ("domestic", "international") or body.get("bearer") not in ("sha", "our", "ben"):
        raise Refused(400, "product, bearer")
    if not isinstance(body.get("creditAccount"), dict) or not isinstance(body.get("amount"), dict):
        raise Refused(400, "creditAccount, amount")
    faults = []
    iban = body["creditAccount"].get("iban")
    if not isinstance(iban, str) or not is_iban(iban):
        faults.append({"member": "creditAccount.iban", "message": "We pay to an IBAN."})
    if body["amount"].get("currency") != "EUR":
        faults.append({"member": "instructedAmount.currency", "message": "We pay in euro."})
    elif cents_of(body["amount"]) > LIMIT:
        faults.append({"member": "instructedAmount.amount", "message": "One transfer may be 15,000 euro at most."})
    ours = db.execute("select 1 from accounts where iban = ?", (iban,)).fetchone()
    return {"faults": faults, "charge": {"currency": "EUR", "amount": "0.00" if ours else "0.30"}, "quote": None}


def book(db, account, cents, **entry):
    values = {"account": account, "status": "booked", "day": date.today().isoformat(), "at": moment(now()), "cents": cents,
              "balance": booked(db, account) + cents, **entry}
    db.execute(f"insert into entries ({', '.join(values)}) values ({', '.join('?' * len(values))})", tuple(values.values()))


def carry_out(db, payment):
    """Books the payment and returns what became of it: (status, reason). A rejected one has changed nothing."""
    payer = db.execute("select * from accounts where id = ?", (payment["payerAccountId"],)).fetchone()
    if payer is None or payer["status"] != "enabled":
        return "RJCT", {"code": "AC06" if payer else "AC01", "text": "The account cannot pay."}
    cents, charge = cents_of(payment["amount"]), cents_of(payment["charge"])
    if available(db, payer["id"]) < cents + charge:
        return "RJCT", {"code": "AM04", "text": "There are not enough funds."}
    iban = payment["creditAccount"].get("iban")
    shared = {"text": payment["remittanceInformation"], "end_to_end": payment["endToEndId"]}
    book(db, payer["id"], -cents, code="PMNT-ICDT-ESCT", name=payment["creditorName"], iban=iban, payment=payment["paymentId"], **shared)
    if charge:
        book(db, payer["id"], -charge, code="PMNT-MDOP-CHRG", name=None, iban=None, text="Charges", payment=payment["paymentId"])
    payee = db.execute("select id from accounts where iban = ? and status = 'enabled'", (iban,)).fetchone()
    if payee:
        book(db, payee["id"], cents, code="PMNT-RCDT-ESCT", name=payer["name"], iban=payer["iban"], **shared)
    return "ACSC", None


def state(row):
    return {"paymentId": row["id"], "status": row["status"], "reason": json.loads(row["reason"]), "lookAgainAt": None}


def execute_payment(db, paymentId, body, **_):
    wanted = ("paymentId", "payerAccountId", "product", "bearer", "amount", "creditAccount", "creditorName", "charge", "approvedAt")
    if any(name not in body for name in wanted) or body["paymentId"] != paymentId:
        raise Refused(400, "not a payment, or another id than in the path")
    cents_of(body["amount"])
    question = json.dumps(body, sort_keys=True)
    # One transaction: whoever inserts the id books, and everybody else reads what became of it.
    is_first = db.execute("insert into payments values (?, ?, '', 'null') on conflict do nothing", (paymentId, question)).rowcount
    if is_first:
        status, reason = carry_out(db, body)
        db.execute("update payments set status = ?, reason = ? where id = ?", (status, json.dumps(reason), paymentId))
    row = db.execute("select * from payments where id = ?", (paymentId,)).fetchone()
    if row["question"] != question:
        raise Refused(409, "this id was used for another payment")
    return state(row)


def read_payment(db, paymentId, **_):
    row = db.execute("select * from payments where id = ?", (paymentId,)).fetchone()
    if row is None:
        raise Refused(404, "never received")
    return state(row)


# --- 5. People: password and one-time codes -----------------------------------------------------------------------------


def hashed(password, salt=None):
    salt = salt or secrets.token_hex(16)
    return f"{salt}:{hashlib.scrypt(password.encode(), salt=salt.encode(), n=2**14, r=8, p=1).hex()}"


NOBODY = hashed("nobody")


def login(db, body, **_):
    username, password = text_of(body, "username", 256), text_of(body, "password", 1024)
    row = db.execute("select * from people where username = ?", (username,)).fetchone()
    # The same work for a user who does not exist.
    kept = row["password"] if row else NOBODY
    if not hmac.compare_digest(hashed(password, kept.partition(":")[0]), kept) or row is None:
        return {"recognised": False, "psuId": None, "name": None}
    return {"recognised": True, "psuId": row["id"], "name": row["name"]}


def context_of(body):
    text_of(body, "shownHash")
    return json.dumps([body["shownHash"], body.get("payment")], sort_keys=True)


def send_code(db, psuId, body, **_):
    if db.execute("select 1 from people where id = ?", (psuId,)).fetchone() is None:
        raise Refused(404, "no such person")
    context, number, code, expires = context_of(body), secrets.token_urlsafe(16), f"{secrets.randbelow(10**6):06d}", now() + timedelta(minutes=5)
    db.execute("insert into challenges (id, person, context, code, expires) values (?, ?, ?, ?, ?)", (number, psuId, context, code, moment(expires)))
    # This terminal stands for the phone of the person; amount and payee belong beside the code (RTS Art. 5).
    payment = body.get("payment")
    print(f"SMS to {psuId}: {code}" + (f" for {payment['amount']} to {payment['payee']}" if payment else ""), flush=True)
    return {"psuId": psuId, "challengeId": number, "expiresAt": moment(expires), "demoCode": code}


def try_code(db, psuId, challengeId, body, **_):
    context, code = context_of(body), text_of(body, "code", 32)
    wrong, = db.execute("select count(*) from wrong_codes where person = ? and at > ?", (psuId, moment(now() - timedelta(minutes=15)))).fetchone()
    row = db.execute("select * from challenges where id = ? and person = ? and used = 0 and expires > ?", (challengeId, psuId, moment(now()))).fetchone()
    if wrong >= 5 or row is None:
        outcome = "spent"
    elif row["context"] == context and hmac.compare_digest(row["code"].encode(), code.encode()):
        outcome = "right"
        db.execute("update challenges set used = 1 where id = ?", (challengeId,))
    else:
        outcome = "wrong"
        db.execute("insert into wrong_codes values (?, ?)", (psuId, moment(now())))
    return {"psuId": psuId, "challengeId": challengeId, "outcome": outcome}


# --- 6. HTTP ------------------------------------------------------------------------------------------------------------

OPERATIONS = [
    ("GET", "/health", ping),
    ("GET", "/account-holders/{psuId}/accounts", find_accounts),
    ("POST", "/accounts/{accountId}/funds", has_funds),
    ("GET", "/accounts/{accountId}/balances", read_balances),
    ("GET", "/accounts/{accountId}/transactions", list_transactions),
    ("GET", "/accounts/{accountId}/transactions/{transactionId}", read_transaction),
    ("GET", "/accounts/{accountId}/statements", list_statements),
    ("GET", "/accounts/{accountId}/statements/{statementId}", read_statement),
    ("POST", "/transfer-terms", quote_transfer),
    ("PUT", "/payments/{paymentId}", execute_payment),
    ("GET", "/payments/{paymentId}", read_payment),
    ("POST", "/logins", login),
    ("POST", "/account-holders/{psuId}/challenges", send_code),
    ("POST", "/account-holders/{psuId}/challenges/{challengeId}/attempts", try_code),
]
ROUTES = [(method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)), run) for method, path, run in OPERATIONS]


class Core(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept
    disable_nagle_algorithm = True
    file, token = "", ""

    def answer(self, status, body):
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            question = json.loads(data) if data else {}
        except ValueError:
            raise Refused(400, "the body is no JSON") from None
        if not isinstance(question, dict):
            raise Refused(400, "the body is no JSON object")
        return question

    def ask(self, path, query):
        if self.token and not hmac.compare_digest(self.headers.get("Authorization", "").encode(), f"Bearer {self.token}".encode()):
            raise Refused(401, "the token is missing or wrong")
        for method, pattern, run in ROUTES:
            if method == self.command and (found := pattern.fullmatch(path)):
                params = {name: unquote(value) for name, value in found.groupdict().items()}
                db = sqlite3.connect(self.file, timeout=10, isolation_level=None)
                db.row_factory = sqlite3.Row
                try:
                    db.execute("begin immediate" if method != "GET" else "begin")
                    result = run(db, **params, query=query, body=self.question, person=self.headers.get("PSU-ID", ""))
                    db.execute("commit")
                    return result
                finally:
                    db.close()  # without a commit nothing has happened
        raise Refused(404, "no such operation")

    def handle_any(self):
        address = urlsplit(self.path)
        try:
            self.question = self.body()
            self.answer(200, self.ask(address.path, dict(parse_qsl(address.query))))
        except Refused as refused:
            self.answer(refused.status, {"message": str(refused)})

    do_GET = do_POST = do_PUT = handle_any

    def log_message(self, *_):
        pass  # paths have ids of people and accounts in them


# --- 7. Customers to try it with ----------------------------------------------------------------------------------------


def iban(number):
    digits = f"9980001{number:016d}"
    return f"GR{98 - int(digits + '162700') % 97:02d}{digits}"


def seed(file):
    db = sqlite3.connect(file)
    db.row_factory = sqlite3.Row
    db.execute("pragma journal_mode = wal")
    db.executescript(TABLES)
    db.execute("insert into keys values ('cursors', ?)", (secrets.token_hex(32),))
    for number, username, name in ((1, "eleni", "Ελένη Παπαδοπούλου"), (2, "nikos", "Νίκος Γεωργίου"), (3, "anna", "Άννα Δήμου")):
        db.execute("insert into people values (?, ?, ?, ?)", (f"customer-{number}", username, hashed(f"{username}-test"), name))
    for number, holders, status in ((101, (1, 2), "enabled"), (102, (1,), "enabled"), (103, (1,), "blocked"), (104, (1,), "closed"), (301, (3,), "enabled")):
        db.execute("insert into accounts values (?, ?, ?, ?)", (str(number), iban(number), f"Current account {number}", status))
        db.executemany("insert into holders values (?, ?)", [(str(number), f"customer-{person}") for person in holders])
    for account, salary in (("101", 800_00), ("102", 650_00), ("103", 90_00), ("301", 700_00)):
        day = date.today() - timedelta(days=380)
        while day < date.today():
            on = {"day": day.isoformat(), "at": f"{day}T09:30:00Z", "end_to_end": None, "payment": None}
            if day.day == 25:
                book(db, account, salary, code="PMNT-RCDT-SALA", name="Εργοδότης ΑΕ", iban=None, text="Μισθοδοσία", **on)
            elif day.day % 3 == 0 and booked(db, account) > 300_00:
                book(db, account, -(day.day * 7_31 % 60_00 + 1_00), code="PMNT-CCRD-POSD", name="Αγορά", iban=None, text="Αγορά με κάρτα", **on)
            day += timedelta(days=1)
        book(db, account, -12_40, status="pending", balance=None, code="PMNT-CCRD-POSD", name="Ταβέρνα", iban=None, text="Αγορά με κάρτα")
    db.commit()
    db.close()


if __name__ == "__main__":
    file, port = (sys.argv[1:] + ["core.db", "8090"][len(sys.argv) - 1:])[:2]
    if not os.path.exists(file):
        seed(file)
    Core.file, Core.token = file, os.environ.get("CORE_TOKEN", "")
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Core)
    print(f"core on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
