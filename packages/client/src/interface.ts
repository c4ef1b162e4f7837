/** Generated from docs/openapi.json and docs/problems.md by `npm run docs`: change the operations instead. */

/** More values may be added: leave alone what you do not know. */
export type Extensible<Known extends string> = Known | (string & Record<never, never>);

/** The last part of the `type` of a problem. */
export type ProblemSlug = "malformed-http" | "message-too-large" | "duplicate-header" | "invalid-header" | "invalid-query" | "page-expired" | "signature-headers-incomplete" | "digest-mismatch" | "invalid-json" | "validation-failed" | "currency-mismatch" | "route-not-found" | "resource-not-found" | "method-not-allowed" | "not-acceptable" | "request-incomplete" | "processing-timeout" | "unsupported-media-type" | "subscription-key-missing" | "subscription-key-invalid" | "token-missing" | "token-invalid" | "token-expired" | "token-of-another-application" | "signature-required" | "signature-invalid" | "certificate-invalid" | "access-blocked" | "product-not-subscribed" | "insufficient-scope" | "role-not-permitted" | "consent-required" | "consent-not-valid" | "sca-renewal-required" | "history-needs-authentication" | "request-id-conflict" | "request-in-progress" | "reference-conflict" | "state-conflict" | "payment-already-submitted" | "payment-executed" | "rate-limited" | "quota-exceeded" | "access-exceeded" | "too-many-open-consents" | "internal-error" | "overloaded" | "draining" | "dependency-unavailable" | "outcome-unknown";

/** The amount to be checked, and the account to check it on. */ export type ConfirmFundsRequest = {
  /** Card number of the card issued by the caller. */ readonly cardNumber?: string | null | undefined;
  /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly account: AccountReference;
  /** Merchant name shown to the account holder. */ readonly payee?: string | null | undefined;
  /** An amount of money. */ readonly instructedAmount: Amount;
};

export type ConfirmFundsResponse = {
  /** True if sufficient funds are available at the time of the request. */ readonly fundsAvailable: boolean | null;
};

export type CreateFundsConsentRequest = {
  /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly account: AccountReference;
  /** Card number of the card issued by the caller. */ readonly cardNumber?: string | null | undefined;
  /** Last day of the card. */ readonly cardExpiryDate?: string | null | undefined;
  /** What the card is, for the account holder. */ readonly cardInformation?: string | null | undefined;
  /** How the caller registered the card. */ readonly registrationInformation?: string | null | undefined;
  /** Proposed last day, in the time zone of the bank; the account holder may change it. Absent: open-ended. */ readonly expirationDate?: string | null | undefined;
  /** Why you ask, in your own words and in the language of the account holder. Shown to them as a quotation when they decide, and beside the permission. Not part of the record of the consent. */ readonly purpose?: string | null | undefined;
};

export type CreatedConsent = {
  /** Id of the consent. */ readonly consentId: string;
  /** Received, until the account holder has decided. */ readonly consentStatus: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
  /** The last day, in the time zone of the bank, if the bank has set or shortened it. */ readonly expirationDate?: string | null | undefined;
  /** scaRedirect is where the account holder decides. */ readonly _links: {
    readonly self: Link;
    readonly status: Link;
    readonly scaRedirect: Link;
  };
};

export type GetFundsConsentResponse = {
  /** Kind of the consent. */ readonly type?: "AccountAccess" | "PaymentInitiation" | "ConfirmationOfFunds" | undefined;
  /** The consent id. */ readonly id?: string | null | undefined;
  /** Client that requested the consent. */ readonly tpp?: string | null | undefined;
  /** Creation date. */ readonly createdDate?: string | undefined;
  /** Overall lifecycle status of the consent. */ readonly consentStatus: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
  /** When the account holder approved it; absent before. */ readonly approvedDate?: string | undefined;
  /** Why the consent has ended: `rejected`, the account holder refused it; `undecided`, nobody decided within 24 hours; `superseded`, a newer account access for some of its accounts took its place; `ended-by-tpp`, the third party ended it; `withdrawn`, the account holder withdrew it; `blocked`, the account holder blocked the third party; `completed`, it did its work: the payment was carried out, or the one-off access is over; `payment-rejected`, the bank rejected the payment; `payment-cancelled`, the payment was cancelled; `unused`, the payment was not submitted within 24 hours of its approval; `expired`, its last day is over; `ended-by-bank`, the bank ended it. */ readonly statusReason?: Extensible<"rejected" | "undecided" | "superseded" | "ended-by-tpp" | "withdrawn" | "blocked" | "completed" | "payment-rejected" | "payment-cancelled" | "unused" | "expired" | "ended-by-bank"> | undefined;
  readonly details?: {
    /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly account: AccountReferenceResponse;
    /** Masked card number. */ readonly cardNumber?: string | null | undefined;
    /** Last day of the card. */ readonly cardExpiryDate?: string | null | undefined;
    /** What the card is, for the account holder. */ readonly cardInformation?: string | null | undefined;
    /** How the caller registered the card. */ readonly registrationInformation?: string | null | undefined;
    /** Proposed last day, in the time zone of the bank; the account holder may change it. Absent: open-ended. */ readonly expirationDate?: string | null | undefined;
  } | undefined;
};

export type ConsentStatusResponse = {
  /** Overall lifecycle status of the consent. */ readonly status: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
};

/** All ATMs of the provider. */ export type GetAtmsResponse = ReadonlyArray<{
  /** Unique id of the ATM. */ readonly id: string;
  /** Code by which the branch is known. */ readonly code?: string | null | undefined;
  /** Name of the ATM. */ readonly name?: string | null | undefined;
  /** Description of the ATM. */ readonly description?: string | null | undefined;
  /** Identification of a retail branch. */ readonly branchCode?: string | null | undefined;
  /** Terminal device identification for acquirer and issuer; differs from id. */ readonly atmid: string | null;
  /** Kind of place where the ATM stands. */ readonly locationCategory?: "Airport" | "BankSpecialisedOutlet" | "BranchExternal" | "BranchInternal" | "BranchLobby" | "BureauDeChange" | "CoachStation" | "CommercialSpaceInternal" | "ConvenienceStore" | "ExhibitionCentre" | "FactoryOrOffice" | "FillingStation" | "FinancialInstitution" | "GovernmentOffice" | "Hospital" | "Hotel" | "KioskPod" | "LeisureCentre" | "PleasurePark" | "PublicHouse" | "RailwayStation" | "RemoteUnit" | "RetailerDepartmentStore" | "RetailerOutlet" | "SeaportTerminal" | "ServiceStation" | "ShoppingCentreExternal" | "ShoppingCentreInternal" | "StorageDepot" | "SupermarketExternal" | "SupermarketInternal" | "UndergroundRailwayStation" | "UniversityOrCollege" | undefined;
  /** Postal address of the ATM. */ readonly address: {
    /** Street. */ readonly street?: string | null | undefined;
    /** Building number. */ readonly buildingNumber?: string | null | undefined;
    /** City. */ readonly city?: string | null | undefined;
    /** Postal code. */ readonly postalCode?: string | null | undefined;
    /** ISO 3166 alpha-2 country code. */ readonly country: string | null;
  };
  /** Latitude and longitude, separated by a comma. */ readonly geographicLocation?: string | null | undefined;
  /** Features for people with disabilities. */ readonly accessibilityFeatures?: ReadonlyArray<"AudioCashMachine" | "AutomaticDoors" | "ChairAccess" | "DriveThru" | "ExternalRamp" | "InductionLoop" | "InternalRamp" | "LevelAccess" | "LowerLevelCounter" | "WheelchairAccess"> | null | undefined;
  /** Languages the ATM supports. */ readonly supportedLanguages: ReadonlyArray<string> | null;
  /** Services the ATM offers. */ readonly atmServices: ReadonlyArray<"Balance" | "BillPayments" | "CashDeposits" | "CashWithdrawal" | "CharityDonation" | "ChequeBookRequest" | "ChequeDeposits" | "FastCash" | "MiniStatement" | "MobileBankingRegistration" | "MobilePaymentRegistration" | "MobilePhoneTopUp" | "OrderStatement" | "PINActivation" | "PINChange"> | null;
  /** Further services, in free text. */ readonly additionalATMServices?: ReadonlyArray<string> | null | undefined;
  /** Currencies available for dispense. */ readonly currency: ReadonlyArray<string> | null;
  /** Smallest amount dispensed; the letters are the Greek U+039C U+0399 U+039D. */ readonly minimumValueDispensed?: "ΜΙΝ_5" | "ΜΙΝ_10" | "ΜΙΝ_20" | "ΜΙΝ_50" | "ΜΙΝ_100" | undefined;
  /** Telephone number. */ readonly telephoneNumber: string | null;
}>;

export type CreateConsentRequest = {
  /** Which data may be read. AccountsBasic or AccountsDetail must be among them: the list of accounts gives the ids that all other reads need. */ readonly permissions: ReadonlyArray<"AccountsBasic" | "AccountsDetail" | "Balances" | "TransactionsBasic" | "TransactionsDetail" | "Statements">;
  /** Absent: the account holder picks. */ readonly accounts?: ReadonlyArray<AccountReference> | undefined;
  /** Last day of the consent, in the time zone of the bank. Absent: 180 days from now. The bank shortens a date that is too far away, and the answer has the one that counts. */ readonly expirationDate?: string | null | undefined;
  /** First day of the history that may be read, in the time zone of the bank. Absent: as far back as the bank has it. */ readonly transactionFrom?: string | null | undefined;
  /** Last day of the history that may be read, in the time zone of the bank. Absent: no last day. */ readonly transactionTo?: string | null | undefined;
  /** Whether data may be read more than once. Absent: false. If not, the consent ends an hour after its first read. A recurring consent takes the place of older recurring ones of the same application and account holder that share an account with it; they end with the reason superseded. */ readonly recurring?: boolean | undefined;
  /** Reads of one kind of data and account in 24 hours without the account holder. Absent: 4 if recurring, else 1. More than the bank allows your application (4, unless it allows more) is 400; `max` says what it allows. */ readonly frequencyPerDay?: number | undefined;
  /** Why you ask, in your own words and in the language of the account holder. Shown to them as a quotation when they decide, and beside the permission. Not part of the record of the consent. */ readonly purpose?: string | null | undefined;
};

export type GetConsentResponse = {
  /** Kind of the consent. */ readonly type?: "AccountAccess" | "PaymentInitiation" | "ConfirmationOfFunds" | undefined;
  /** The consent id. */ readonly id?: string | null | undefined;
  /** Client that requested the consent. */ readonly tpp?: string | null | undefined;
  /** Creation date. */ readonly createdDate?: string | undefined;
  /** Overall lifecycle status of the consent. */ readonly consentStatus: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
  /** When the account holder approved it; absent before. */ readonly approvedDate?: string | undefined;
  /** Until when account data can be read without a new authentication: 180 days after the last one, or the end of the consent, if that is sooner. A renewal moves the former; after the end of the consent only a new consent helps. Absent at a bank that applies the PSR: there you authenticate your user yourself every 180 days. */ readonly scaValidUntil?: string | undefined;
  /** Why the consent has ended: `rejected`, the account holder refused it; `undecided`, nobody decided within 24 hours; `superseded`, a newer account access for some of its accounts took its place; `ended-by-tpp`, the third party ended it; `withdrawn`, the account holder withdrew it; `blocked`, the account holder blocked the third party; `completed`, it did its work: the payment was carried out, or the one-off access is over; `payment-rejected`, the bank rejected the payment; `payment-cancelled`, the payment was cancelled; `unused`, the payment was not submitted within 24 hours of its approval; `expired`, its last day is over; `ended-by-bank`, the bank ended it. */ readonly statusReason?: Extensible<"rejected" | "undecided" | "superseded" | "ended-by-tpp" | "withdrawn" | "blocked" | "completed" | "payment-rejected" | "payment-cancelled" | "unused" | "expired" | "ended-by-bank"> | undefined;
  /** The newer consent that took its place, if the reason is superseded. */ readonly supersededBy?: string | undefined;
  readonly details?: AccountAccess | undefined;
};

export type ConsentStatus = {
  /** Overall lifecycle status of the consent. */ readonly status: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
};

export type GetAccountsResponse = {
  readonly accounts: ReadonlyArray<Account>;
};

export type GetAccountResponse = {
  /** As in List accounts. */ readonly account: Account;
};

export type GetBalancesResponse = {
  readonly balances: ReadonlyArray<Balance>;
  readonly _links: {
    readonly account: Link;
  };
};

export type GetTransactionsResponse = {
  readonly transactions: {
    /** As in Get a transaction; newest first. */ readonly booked?: ReadonlyArray<Transaction> | undefined;
    /** On the first pages, up to 500 on each. */ readonly pending?: ReadonlyArray<Transaction> | undefined;
  };
  readonly _links: {
    readonly account: Link;
    readonly next?: Link | undefined;
  };
};

export type GetTransactionResponse = {
  readonly transactionsDetails: Transaction;
};

export type GetStatementsResponse = {
  /** Newest first. */ readonly statements: ReadonlyArray<Statement>;
};

export type GetStatementResponse = {
  readonly statement: StatementWithTransactions;
};

export type CreateDomesticTransferRequest = {
  /** End-to-end identification. */ readonly endToEndId?: string | null | undefined;
  /** The account that pays. Absent: the account holder picks one. */ readonly debitAccount?: AccountReference | undefined;
  /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly creditAccount: AccountReference;
  /** Name of the payee. */ readonly creditorName: string;
  /** An amount of money. */ readonly instructedAmount: ExactAmount;
  /** Who bears the charges: shared, payer or payee. Absent: sha. In euro, between two accounts in the SEPA area: `sha` only, anything else is 400 (PSD2 Art. 62(2)). */ readonly chargeBearer?: "sha" | "our" | "ben" | undefined;
  /** Information for the payee. */ readonly remittanceInformation?: string | null | undefined;
  /** Why you ask, in your own words and in the language of the account holder. Shown to them as a quotation when they decide, and beside the permission. Not part of the record of the consent. */ readonly purpose?: string | null | undefined;
};

export type CreateInternationalTransferRequest = {
  /** End-to-end identification. */ readonly endToEndId?: string | null | undefined;
  /** The account that pays. Absent: the account holder picks one. */ readonly debitAccount?: AccountReference | undefined;
  /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly creditAccount: AccountReference;
  /** Name of the payee. */ readonly creditorName: string;
  /** An amount of money. */ readonly instructedAmount: ExactAmount;
  /** Who bears the charges: shared, payer or payee. Absent: sha. In euro, between two accounts in the SEPA area: `sha` only, anything else is 400 (PSD2 Art. 62(2)). */ readonly chargeBearer?: "sha" | "our" | "ben" | undefined;
  /** Information for the payee. */ readonly remittanceInformation?: string | null | undefined;
  /** The bank of the payee, by `bic` or `name`. Required if `creditAccount` has no `iban`. */ readonly creditorAgent?: {
    /** BIC of the bank. */ readonly bic?: string | null | undefined;
    /** Name of the bank. */ readonly name?: string | null | undefined;
    /** ISO 3166 alpha-2 country code of the bank. */ readonly country: string;
  } | undefined;
  /** Why you ask, in your own words and in the language of the account holder. Shown to them as a quotation when they decide, and beside the permission. Not part of the record of the consent. */ readonly purpose?: string | null | undefined;
};

export type GetPaymentConsentResponse = {
  /** Kind of the consent. */ readonly type?: "AccountAccess" | "PaymentInitiation" | "ConfirmationOfFunds" | undefined;
  /** The consent id. */ readonly id?: string | null | undefined;
  /** Client that requested the consent. */ readonly tpp?: string | null | undefined;
  /** Creation date. */ readonly createdDate?: string | undefined;
  /** Overall lifecycle status of the consent. */ readonly consentStatus: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
  /** What is to be paid. */ readonly details?: {
    /** End-to-end identification. */ readonly endToEndId?: string | null | undefined;
    /** Payment service. */ readonly paymentService: "transfers";
    /** Payment product. */ readonly paymentProduct: "domestic" | "international";
    /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly debitAccount?: AccountReference | undefined;
    /** Identifies an account by IBAN, BBAN or registered phone number. */ readonly creditAccount?: AccountReference | undefined;
    /** An amount of money. */ readonly instructedAmount?: Amount | undefined;
    /** Who bears the charges: shared, payer or payee. */ readonly chargeBearer?: "sha" | "our" | "ben" | undefined;
    /** Information for the payee. */ readonly remittanceInformation?: string | null | undefined;
    /** Name of the payee. */ readonly creditorName?: string | null | undefined;
    /** An amount of money. */ readonly expenses?: Amount | undefined;
  } | undefined;
};

export type GetEventsResponse = {
  readonly events: ReadonlyArray<Event>;
  readonly _links: {
    /** What follows, now or later. */ readonly next?: Link | undefined;
  };
};

export type ConfirmPaymentFundsResponse = {
  /** Whether the amount and the charges are available now. */ readonly fundsAvailable: boolean;
};

/** Empty. The payment was fixed when it was approved. */ export type SubmitPaymentRequest = Readonly<Record<string, never>>;

export type SubmitPaymentResponse = {
  /** Id of the payment order. */ readonly paymentId: string;
  /** ISO 20022 status: RCVD received, PDNG pending, ACTC technically accepted, ACSP settlement in process, ACSC settled, RJCT rejected, CANC cancelled. The last three are final. */ readonly transactionStatus: Extensible<"RCVD" | "PDNG" | "ACTC" | "ACSP" | "ACSC" | "RJCT" | "CANC">;
  /** Why the order was rejected or cancelled, or what it waits for. */ readonly statusReason?: StatusReason | undefined;
  /** self is the order; consent is the payment consent it belongs to. */ readonly _links: {
    readonly self: Link;
    readonly consent: Link;
  };
};

export type GetPaymentResponse = {
  /** Id of the payment order. */ readonly paymentId: string;
  /** ISO 20022 status: RCVD received, PDNG pending, ACTC technically accepted, ACSP settlement in process, ACSC settled, RJCT rejected, CANC cancelled. The last three are final. */ readonly transactionStatus: Extensible<"RCVD" | "PDNG" | "ACTC" | "ACSP" | "ACSC" | "RJCT" | "CANC">;
  /** Why the order was rejected or cancelled, or what it waits for. */ readonly statusReason?: StatusReason | undefined;
  /** When it was submitted. */ readonly createdDateTime: string;
  /** When it reached this status. */ readonly statusDateTime: string;
  /** If the account that pays has another currency: one unit of the currency of the payment in that of the account, as it was approved. */ readonly exchangeRate?: number | undefined;
  /** Beside exchangeRate: what the account pays for the amount, without charges. Left out of a payment that was rejected or cancelled. */ readonly debitedAmount?: ExactAmountResponse | undefined;
  /** self is the order; consent is the payment consent it belongs to. */ readonly _links: {
    readonly self: Link;
    readonly consent: Link;
  };
};

/** Members that are not described here are ignored, as RFC 7591 demands. */ export type RegisterApplicationRequest = {
  /** Name of the application, shown to account holders beside that of the certificate. */ readonly client_name: string;
  /** Where account holders may be sent back to. */ readonly redirect_uris: ReadonlyArray<string>;
  /** Products, separated by blanks: `piis`, `ais`, `pis`. Each needs its role in the certificate; absent: all that the roles allow. */ readonly scope?: string | undefined;
  /** How the application proves itself to the authorization server. Absent: `private_key_jwt` if `jwks` is sent, else `client_secret_basic`. */ readonly token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt" | "tls_client_auth" | undefined;
  /** Public keys for `private_key_jwt`. Absent: the key of the certificate. */ readonly jwks?: {
    readonly keys: ReadonlyArray<{
      /** Kind of the key. */ readonly kty: "RSA" | "EC";
    }>;
  } | undefined;
  /** Always both. */ readonly grant_types?: ReadonlyArray<"authorization_code" | "refresh_token"> | undefined;
  readonly response_types?: ReadonlyArray<"code"> | undefined;
  /** Tokens are bound to a key of the application (RFC 9449). */ readonly dpop_bound_access_tokens?: boolean | undefined;
  /** Tokens are bound to the client certificate (RFC 8705). */ readonly tls_client_certificate_bound_access_tokens?: boolean | undefined;
  /** Tells several applications of one third party apart. It has one application for each. */ readonly software_id?: string | undefined;
};

export type RegisterApplicationResponse = {
  /** For OAuth. */ readonly client_id: string;
  /** Seconds since 1970. */ readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly redirect_uris: ReadonlyArray<string>;
  /** The products, separated by blanks; open data belongs to every one. */ readonly scope: string;
  /** How the application proves itself. */ readonly token_endpoint_auth_method: "client_secret_basic" | "private_key_jwt" | "tls_client_auth";
  readonly grant_types: ReadonlyArray<string>;
  readonly response_types: ReadonlyArray<string>;
  /** Its public keys. */ readonly jwks?: Readonly<Record<string, unknown>> | undefined;
  readonly dpop_bound_access_tokens: boolean;
  readonly tls_client_certificate_bound_access_tokens: boolean;
  readonly software_id?: string | undefined;
  /** The third party, as its certificate says. */ readonly organisation: {
    readonly name: string;
    readonly organizationIdentifier: string;
    readonly roles: ReadonlyArray<string>;
  };
  /** `waiting`: the bank must approve it; its keys work from then on. */ readonly registration_status: Extensible<"active" | "waiting" | "suspended">;
  /** Where it is read, changed and removed. */ readonly registration_client_uri: string;
  /** For `client_secret_basic`. Shown only this once. */ readonly client_secret?: string | undefined;
  /** 0: it does not expire. */ readonly client_secret_expires_at?: number | undefined;
  /** Values of Ocp-Apim-Subscription-Key. Shown only this once. */ readonly subscription_keys: {
    readonly primary: string;
    readonly secondary: string;
  };
};

export type Registration = {
  /** For OAuth. */ readonly client_id: string;
  /** Seconds since 1970. */ readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly redirect_uris: ReadonlyArray<string>;
  /** The products, separated by blanks; open data belongs to every one. */ readonly scope: string;
  /** How the application proves itself. */ readonly token_endpoint_auth_method: "client_secret_basic" | "private_key_jwt" | "tls_client_auth";
  readonly grant_types: ReadonlyArray<string>;
  readonly response_types: ReadonlyArray<string>;
  /** Its public keys. */ readonly jwks?: Readonly<Record<string, unknown>> | undefined;
  readonly dpop_bound_access_tokens: boolean;
  readonly tls_client_certificate_bound_access_tokens: boolean;
  readonly software_id?: string | undefined;
  /** The third party, as its certificate says. */ readonly organisation: {
    readonly name: string;
    readonly organizationIdentifier: string;
    readonly roles: ReadonlyArray<string>;
  };
  /** `waiting`: the bank must approve it; its keys work from then on. */ readonly registration_status: Extensible<"active" | "waiting" | "suspended">;
  /** Where it is read, changed and removed. */ readonly registration_client_uri: string;
};

/** All metadata anew: what is left out has its default. Members that are not described here are ignored, as RFC 7591 demands. */ export type ChangeRegistrationRequest = {
  /** Name of the application, shown to account holders beside that of the certificate. */ readonly client_name: string;
  /** Where account holders may be sent back to. */ readonly redirect_uris: ReadonlyArray<string>;
  /** Products, separated by blanks: `piis`, `ais`, `pis`. Each needs its role in the certificate; absent: all that the roles allow. */ readonly scope?: string | undefined;
  /** How the application proves itself to the authorization server. Absent: `private_key_jwt` if `jwks` is sent, else `client_secret_basic`. */ readonly token_endpoint_auth_method?: "client_secret_basic" | "private_key_jwt" | "tls_client_auth" | undefined;
  /** Public keys for `private_key_jwt`. Absent: the key of the certificate. */ readonly jwks?: {
    readonly keys: ReadonlyArray<{
      /** Kind of the key. */ readonly kty: "RSA" | "EC";
    }>;
  } | undefined;
  /** Always both. */ readonly grant_types?: ReadonlyArray<"authorization_code" | "refresh_token"> | undefined;
  readonly response_types?: ReadonlyArray<"code"> | undefined;
  /** Tokens are bound to a key of the application (RFC 9449). */ readonly dpop_bound_access_tokens?: boolean | undefined;
  /** Tokens are bound to the client certificate (RFC 8705). */ readonly tls_client_certificate_bound_access_tokens?: boolean | undefined;
  /** The id of the application, if it is sent. */ readonly client_id?: string | undefined;
};

export type RenewRegistrationSecretRequest = {
  /** Which one is replaced; it works no longer. */ readonly secret: "client_secret" | "primary_key" | "secondary_key";
};

export type RenewRegistrationSecretResponse = {
  /** Which one. */ readonly secret: "client_secret" | "primary_key" | "secondary_key";
  /** The new one. Shown only this once. */ readonly value: string;
};

/** Identifies an account by IBAN, BBAN or registered phone number. */ export type AccountReference = {
  /** IBAN of a payment account. */ readonly iban?: string | null | undefined;
  /** BBAN, for accounts without IBAN. */ readonly bban?: string | null | undefined;
  /** Alias: registered mobile phone number. */ readonly msisdn?: string | null | undefined;
  /** ISO 4217 currency code; picks the sub-account of a multi-currency account. */ readonly currency?: string | null | undefined;
};

/** An amount of money. */ export type Amount = {
  /** ISO 4217 currency code; null means the currency of the account. */ readonly currency: string | null;
  /** Amount, greater than 0, with no more decimals than the currency has. */ readonly amount: number;
};

export type Link = {
  readonly href: string;
};

/** Identifies an account by IBAN, BBAN or registered phone number. */ export type AccountReferenceResponse = {
  /** IBAN of a payment account. */ readonly iban?: string | null | undefined;
  /** BBAN, for accounts without IBAN. */ readonly bban?: string | null | undefined;
  /** Alias: registered mobile phone number. */ readonly msisdn?: string | null | undefined;
  /** ISO 4217 currency code; picks the sub-account of a multi-currency account. */ readonly currency?: string | null | undefined;
};

export type AccountAccess = {
  /** Which data may be read. AccountsBasic or AccountsDetail must be among them: the list of accounts gives the ids that all other reads need. */ readonly permissions: ReadonlyArray<"AccountsBasic" | "AccountsDetail" | "Balances" | "TransactionsBasic" | "TransactionsDetail" | "Statements">;
  /** Absent: the account holder picks. */ readonly accounts?: ReadonlyArray<AccountReferenceResponse> | undefined;
  /** Last day of the consent, in the time zone of the bank. Absent: 180 days from now. The bank shortens a date that is too far away, and the answer has the one that counts. */ readonly expirationDate?: string | null | undefined;
  /** First day of the history that may be read, in the time zone of the bank. Absent: as far back as the bank has it. */ readonly transactionFrom?: string | null | undefined;
  /** Last day of the history that may be read, in the time zone of the bank. Absent: no last day. */ readonly transactionTo?: string | null | undefined;
  /** Whether data may be read more than once. Absent: false. If not, the consent ends an hour after its first read. A recurring consent takes the place of older recurring ones of the same application and account holder that share an account with it; they end with the reason superseded. */ readonly recurring?: boolean | undefined;
  /** Reads of one kind of data and account in 24 hours without the account holder. Absent: 4 if recurring, else 1. More than the bank allows your application (4, unless it allows more) is 400; `max` says what it allows. */ readonly frequencyPerDay?: number | undefined;
};

/** `currency` and `amount`: what is received is positive, what is paid is negative. */ export type Money = {
  /** ISO 4217 currency code. */ readonly currency: string;
  /** What is received is positive, what is paid is negative. */ readonly amount: number;
};

export type Balance = {
  /** Which balance it is. */ readonly balanceType: Extensible<"closingBooked" | "interimBooked" | "interimAvailable">;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly balanceAmount: Money;
  /** Whether the agreed credit line is part of the amount. */ readonly creditLimitIncluded: boolean;
  /** When the balance last changed. */ readonly lastChangeDateTime: string;
  /** The day of that change. */ readonly referenceDate: string;
};

/** As in List accounts. */ export type Account = {
  /** How the account is named in addresses: the same for your application and this person in every consent, another one for others. */ readonly resourceId: string;
  /** IBAN of the account. */ readonly iban?: string | undefined;
  /** BBAN, for accounts without IBAN. */ readonly bban?: string | undefined;
  /** ISO 4217 currency code. */ readonly currency: string;
  /** Name given by the bank or the account holder. */ readonly name: string;
  /** What the bank calls this kind of account. */ readonly product: string;
  /** ISO 20022 cash account type: CACC current, SVGS savings. */ readonly cashAccountType: string;
  /** deleted: the account is closed. */ readonly status: Extensible<"enabled" | "blocked" | "deleted">;
  /** All holders; with AccountsDetail only. */ readonly ownerName?: string | undefined;
  /** As in Get the balances of an account; with withBalance=true only. */ readonly balances?: ReadonlyArray<Balance> | undefined;
  readonly _links: {
    readonly account: Link;
    readonly balances?: Link | undefined;
    readonly transactions?: Link | undefined;
    readonly statements?: Link | undefined;
  };
};

/** `iban` or `bban`; with TransactionsDetail only. */ export type PartyAccount = {
  /** The IBAN. */ readonly iban?: string | undefined;
  /** The number of an account without IBAN, as the payer gave it. */ readonly bban?: string | undefined;
  /** ISO 4217 currency code of that account, if the bank knows it. */ readonly currency?: string | undefined;
};

/** The bank of that account; with TransactionsDetail only. */ export type PartyAgent = {
  /** ISO 9362. */ readonly bic?: string | undefined;
  /** Name of the bank. */ readonly name?: string | undefined;
  /** ISO 3166 alpha-2. */ readonly country?: string | undefined;
};

export type Exchange = {
  /** The currency that was paid or received. */ readonly sourceCurrency: string;
  /** The currency of the account. */ readonly targetCurrency: string;
  /** The currency of which one unit is rated. */ readonly unitCurrency: string;
  /** One unit of it in the currency of the account. */ readonly exchangeRate: number;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly instructedAmount: Money;
};

export type Transaction = {
  /** One for each entry over the whole bank: the two sides of a transfer have two. It stays the same in every read and from pending to booked. */ readonly transactionId: string;
  /** The payment of this interface that was booked, or whose charges were; to the payer alone. */ readonly paymentId?: string | undefined;
  /** Absent while pending. */ readonly bookingDate?: string | undefined;
  /** When it was booked, if the bank keeps the moment. */ readonly bookingDateTime?: string | undefined;
  /** From when it counts for interest. */ readonly valueDate: string;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly transactionAmount: Money;
  /** ISO 20022: domain, family and subfamily, such as PMNT-CCRD-POSD; absent if the bank has none. */ readonly bankTransactionCode?: string | undefined;
  /** The code of the bank itself, if it has one. */ readonly proprietaryBankTransactionCode?: string | undefined;
  /** Of a booking, if the bank keeps it; with the permission Balances only. */ readonly balanceAfterTransaction?: {
    /** Which balance it is. */ readonly balanceType: Extensible<"interimBooked">;
    /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly balanceAmount: Money;
  } | undefined;
  /** Who was paid; with TransactionsDetail only. */ readonly creditorName?: string | undefined;
  /** `iban` or `bban`; with TransactionsDetail only. */ readonly creditorAccount?: PartyAccount | undefined;
  /** The bank of that account; with TransactionsDetail only. */ readonly creditorAgent?: PartyAgent | undefined;
  /** Who has paid; with TransactionsDetail only. */ readonly debtorName?: string | undefined;
  /** `iban` or `bban`; with TransactionsDetail only. */ readonly debtorAccount?: PartyAccount | undefined;
  /** The bank of that account; with TransactionsDetail only. */ readonly debtorAgent?: PartyAgent | undefined;
  /** For whom the debtor pays; with TransactionsDetail only. */ readonly ultimateDebtor?: string | undefined;
  /** For whom the creditor is paid; with TransactionsDetail only. */ readonly ultimateCreditor?: string | undefined;
  /** The message; with TransactionsDetail only. */ readonly remittanceInformationUnstructured?: string | undefined;
  /** The payee’s own reference, such as RF18539007547034 (ISO 11649); with TransactionsDetail only. */ readonly creditorReference?: string | undefined;
  /** ISO 20022 external purpose, such as SALA; with TransactionsDetail only. */ readonly purposeCode?: string | undefined;
  /** Reference of the payer; with TransactionsDetail only. */ readonly endToEndId?: string | undefined;
  /** Mandate of a direct debit; with TransactionsDetail only. */ readonly mandateId?: string | undefined;
  /** Creditor identifier of a direct debit; with TransactionsDetail only. */ readonly creditorId?: string | undefined;
  /** ISO 18245 code of a payment by card; with TransactionsDetail only. */ readonly merchantCategoryCode?: string | undefined;
  /** With TransactionsDetail only. */ readonly currencyExchange?: ReadonlyArray<Exchange> | undefined;
};

/** `count` and `amount`, without sign. */ export type Total = {
  readonly count: number;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly amount: Money;
};

export type Statement = {
  /** Id of the statement. */ readonly statementId: string;
  /** The number that the bank gave it, such as 3/2026. */ readonly statementNumber?: string | undefined;
  /** First day. */ readonly dateFrom: string;
  /** Last day. */ readonly dateTo: string;
  /** ISO 4217 currency code. */ readonly currency: string;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly openingBalance: Money;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly closingBalance: Money;
  /** `count` and `amount`, without sign. */ readonly totalCredits: Total;
  /** `count` and `amount`, without sign. */ readonly totalDebits: Total;
  /** When the statement was made. */ readonly createdDateTime: string;
  readonly _links: {
    readonly self: Link;
    readonly account: Link;
  };
};

export type StatementWithTransactions = {
  /** Id of the statement. */ readonly statementId: string;
  /** The number that the bank gave it, such as 3/2026. */ readonly statementNumber?: string | undefined;
  /** First day. */ readonly dateFrom: string;
  /** Last day. */ readonly dateTo: string;
  /** ISO 4217 currency code. */ readonly currency: string;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly openingBalance: Money;
  /** `currency` and `amount`: what is received is positive, what is paid is negative. */ readonly closingBalance: Money;
  /** `count` and `amount`, without sign. */ readonly totalCredits: Total;
  /** `count` and `amount`, without sign. */ readonly totalDebits: Total;
  /** When the statement was made. */ readonly createdDateTime: string;
  readonly _links: {
    readonly self: Link;
    readonly account: Link;
  };
  /** As in Get a transaction; newest first. */ readonly transactions: ReadonlyArray<Transaction>;
};

/** An amount of money. */ export type ExactAmount = {
  /** ISO 4217 currency code. */ readonly currency: string;
  /** Amount, greater than 0, with no more decimals than the currency has. */ readonly amount: number;
};

/** In events of type `downtime` and `incident` alone. */ export type Announcement = {
  /** The planned downtime or incident, as `/status.json` has it. The same in all events about it. */ readonly id: string;
  /** A planned downtime is `announced` or `cancelled`; an incident is `opened`, `updated` or `closed`. */ readonly status: Extensible<"announced" | "cancelled" | "opened" | "updated" | "closed">;
  /** When it begins or began. */ readonly from: string;
  /** When it ends or ended. Absent while an incident lasts. */ readonly to?: string | undefined;
  /** What the bank says about it, in Greek and in English. */ readonly text: {
    readonly el: string;
    readonly en: string;
  };
};

export type Event = {
  /** The same in every delivery of this event. */ readonly id: string;
  /** Its place in the feed of the application. Of two events the one with the higher position happened later; a number may be left out. */ readonly position: number;
  /** What has changed. `downtime` and `incident` are announced by the bank to every application. */ readonly type: Extensible<"consent" | "payment" | "downtime" | "incident">;
  /** When it changed. */ readonly occurredAt: string;
  /** The consent, or that of the payment. Absent in announcements. */ readonly consentId?: string | undefined;
  /** Kind of the consent. Absent in announcements. */ readonly consentType?: "AccountAccess" | "PaymentInitiation" | "ConfirmationOfFunds" | undefined;
  /** The status of the consent since then. */ readonly consentStatus?: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp" | undefined;
  /** Why the consent has ended: `rejected`, the account holder refused it; `undecided`, nobody decided within 24 hours; `superseded`, a newer account access for some of its accounts took its place; `ended-by-tpp`, the third party ended it; `withdrawn`, the account holder withdrew it; `blocked`, the account holder blocked the third party; `completed`, it did its work: the payment was carried out, or the one-off access is over; `payment-rejected`, the bank rejected the payment; `payment-cancelled`, the payment was cancelled; `unused`, the payment was not submitted within 24 hours of its approval; `expired`, its last day is over; `ended-by-bank`, the bank ended it. */ readonly statusReason?: Extensible<"rejected" | "undecided" | "superseded" | "ended-by-tpp" | "withdrawn" | "blocked" | "completed" | "payment-rejected" | "payment-cancelled" | "unused" | "expired" | "ended-by-bank"> | undefined;
  /** The newer consent that took its place, if the reason is superseded. */ readonly supersededBy?: string | undefined;
  /** Of a Valid consent whose status has not changed: `renewed`, the account holder has authenticated anew; `authentication-ends`, the authentication ends within seven days (at scaValidUntil), and a renewal keeps the data open; `consent-ends`, the consent itself ends within seven days (at validUntil). */ readonly notice?: Extensible<"renewed" | "authentication-ends" | "consent-ends"> | undefined;
  /** Until when account data can be read without a new authentication: 180 days after the last one, or the end of the consent, if that is sooner. A renewal moves the former; after the end of the consent only a new consent helps. Absent at a bank that applies the PSR: there you authenticate your user yourself every 180 days. */ readonly scaValidUntil?: string | undefined;
  /** When the consent ends, if the notice is consent-ends. */ readonly validUntil?: string | undefined;
  /** The payment order. */ readonly paymentId?: string | undefined;
  /** The new status of the payment order, ISO 20022. */ readonly transactionStatus?: string | undefined;
  /** In events of type `downtime` and `incident` alone. */ readonly announcement?: Announcement | undefined;
};

/** Why the order was rejected or cancelled, or what it waits for. */ export type StatusReason = {
  /** ISO 20022 status reason, such as AM04. */ readonly code: string;
  /** What it means. */ readonly text: string;
};

/** Beside exchangeRate: what the account pays for the amount, without charges. Left out of a payment that was rejected or cancelled. */ export type ExactAmountResponse = {
  /** ISO 4217 currency code. */ readonly currency: string;
  /** Amount, greater than 0, with no more decimals than the currency has. */ readonly amount: number;
};

export type Problem = {
  /** Address of the page that explains the problem. Its last segment names the problem and never changes. */ readonly type?: string | null | undefined;
  /** Fixed for each type. */ readonly title?: string | null | undefined;
  /** The HTTP status, repeated. */ readonly status?: number | null | undefined;
  /** One sentence about this occurrence. */ readonly detail?: string | null | undefined;
  /** `urn:uuid:` and the X-Request-ID. */ readonly instance?: string | null | undefined;
  /** Facts for programs, by name. */ readonly extensions?: Extensions | undefined;
};

export type ValidationProblem = {
  /** Address of the page that explains the problem. Its last segment names the problem and never changes. */ readonly type?: string | null | undefined;
  /** Fixed for each type. */ readonly title?: string | null | undefined;
  /** The HTTP status, repeated. */ readonly status?: number | null | undefined;
  /** One sentence about this occurrence. */ readonly detail?: string | null | undefined;
  /** `urn:uuid:` and the X-Request-ID. */ readonly instance?: string | null | undefined;
  /** Facts for programs, by name. */ readonly extensions?: Extensions | undefined;
  /** What is wrong, by the name of the member, header or parameter. */ readonly errors?: Readonly<Record<string, ReadonlyArray<string>>> | null | undefined;
};

export type RegistrationProblem = {
  /** Address of the page that explains the problem. Its last segment names the problem and never changes. */ readonly type?: string | null | undefined;
  /** Fixed for each type. */ readonly title?: string | null | undefined;
  /** The HTTP status, repeated. */ readonly status?: number | null | undefined;
  /** One sentence about this occurrence. */ readonly detail?: string | null | undefined;
  /** `urn:uuid:` and the X-Request-ID. */ readonly instance?: string | null | undefined;
  /** Facts for programs, by name. */ readonly extensions?: Extensions | undefined;
  /** What is wrong, by the name of the member, header or parameter. */ readonly errors?: Readonly<Record<string, ReadonlyArray<string>>> | null | undefined;
  /** As RFC 7591, 3.2.2, names it. */ readonly error?: Extensible<"invalid_redirect_uri" | "invalid_client_metadata"> | undefined;
  /** The same as `detail`. */ readonly error_description?: string | undefined;
};

/** What a client does. The list is closed. */ export type Advice = "repeat" | "wait" | "refresh-token" | "authorize" | "ask-account-holder" | "renew-consent" | "ask-for-less" | "new-consent" | "read-existing" | "start-over" | "fix-request" | "contact-bank";

/** What is wrong with a member, header or parameter, for programs. */ export type FieldFault = {
  /** What is wrong. */ readonly code: Extensible<"required" | "unknown" | "repeated" | "duplicate" | "type" | "format" | "not-allowed" | "not-registered" | "too-short" | "too-long" | "too-few" | "too-many" | "too-small" | "too-large" | "too-precise" | "out-of-range" | "conflict" | "not-found" | "refused">;
  /** The right types. */ readonly expected?: ReadonlyArray<string> | undefined;
  /** The name of the format. */ readonly format?: string | undefined;
  /** The name that was probably meant. */ readonly nearest?: string | undefined;
  /** The allowed values. */ readonly allowed?: ReadonlyArray<string> | undefined;
  /** The least value, length or number of entries. */ readonly min?: number | undefined;
  /** The greatest value, length or number of entries. */ readonly max?: number | undefined;
  /** It must be more than this. */ readonly above?: number | undefined;
  /** The most digits. */ readonly digits?: number | undefined;
  /** The first day. */ readonly from?: string | undefined;
  /** The last day. */ readonly to?: string | undefined;
  /** The part of the request that it does not fit. */ readonly with?: string | undefined;
};

/** Facts for programs, by name. */ export type Extensions = {
  /** What happened and what to do about it, for programs. */ readonly error: {
    /** The message code. */ readonly code: string;
    /** Whether the same request can succeed. Then there is a Retry-After. */ readonly retryable: boolean;
    /** What a client does. The list is closed. */ readonly advice: Advice;
  };
  /** A code for each sentence of the member `errors`: the same names, in the same order. */ readonly errors?: Readonly<Record<string, ReadonlyArray<FieldFault>>> | undefined;
  /** What has been read too often. */ readonly access?: {
    /** The kind of data. */ readonly kind: string;
    /** Reads in 24 hours without the account holder. */ readonly limit: number;
    /** When it can be read again. Absent if it is a one-off consent: waiting does not help. */ readonly retryAt?: string | undefined;
  } | undefined;
  /** The consent, if there is one. */ readonly consent?: {
    /** Its status. */ readonly status: "Received" | "Rejected" | "Valid" | "RevokedByPsu" | "Expired" | "TerminatedByTpp";
    /** Why it has ended, as reading the consent says it. */ readonly statusReason?: string | undefined;
    /** The newer consent that took its place. */ readonly supersededBy?: string | undefined;
    /** When its authentication ended. */ readonly scaValidUntil?: string | undefined;
    /** One of these permissions is needed. */ readonly missingPermissions?: ReadonlyArray<string> | undefined;
  } | undefined;
  /** The history that is open. */ readonly history?: {
    /** The first day that can be read without an authentication. Absent if all days are older. */ readonly dateFrom?: string | undefined;
  } | undefined;
  /** The consents that wait for the account holder. */ readonly openConsents?: {
    /** The kind of the consents. */ readonly kind: string;
    /** How many may be open. */ readonly limit: number;
  } | undefined;
  /** The payment order that is there. */ readonly payment?: {
    /** The order, if it is known already. */ readonly paymentId?: string | undefined;
    /** Where it can be read. */ readonly href: string;
  } | undefined;
  /** The application that is registered already. */ readonly registration?: {
    /** The application. */ readonly client_id: string;
    /** Where it is read and changed. */ readonly registration_client_uri: string;
  } | undefined;
  /** The first check of the signature that failed. */ readonly signature?: {
    /** The name of the check. */ readonly failed: string;
  } | undefined;
  /** Ways on. */ readonly _links?: {
    /** POST here, and send the account holder to the scaRedirect of the answer. */ readonly startAuthorisation: {
      /** The address. */ readonly href: string;
    };
  } | undefined;
} | null;

interface HeaderValues {
  /** Id of the account access consent that covers this read. */ readonly 'Consent-ID': string;
  /** Where the account holder is sent back to; one of the registered addresses, exactly. The first registered one, if absent. `consentId`, `state` (if TPP-State was sent) and `result` are added: `approved`, `refused`, `failed` or `expired`. A browser carries them, so confirm the outcome by reading the status. */ readonly 'TPP-Redirect-URI': string;
  /** The same for a refusal; TPP-Redirect-URI, if absent. */ readonly 'TPP-Nok-Redirect-URI': string;
  /** Returned as `state` with the account holder. */ readonly 'TPP-State': string;
  /** Where status changes of this consent are sent; an https address on a host of a registered redirect or webhook address. The registered webhook, if absent. */ readonly 'TPP-Notification-URI': string;
  /** IP address of the account holder; present if and only if the account holder asked for this call. */ readonly 'PSU-IP-Address': string;
  /** Port of that request, if available. */ readonly 'PSU-IP-Port': string;
  /** Accept header of the request between account holder and third party, if available. */ readonly 'PSU-Accept': string;
  /** Accept-Charset header of the request between account holder and third party, if available. */ readonly 'PSU-Accept-Charset': string;
  /** Accept-Encoding header of the request between account holder and third party, if available. */ readonly 'PSU-Accept-Encoding': string;
  /** Accept-Language header of the request between account holder and third party, if available. */ readonly 'PSU-Accept-Language': string;
  /** User agent of the request between account holder and third party, if available. */ readonly 'PSU-User-Agent': string;
  /** HTTP method used between account holder and third party. */ readonly 'PSU-Http-Method': "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Identifies the device or app installation. */ readonly 'PSU-Device-ID': string;
  /** Geo location of the request between account holder and third party, if available. */ readonly 'PSU-Geolocation': string;
}
type PsuHeader = "PSU-IP-Address" | "PSU-IP-Port" | "PSU-Accept" | "PSU-Accept-Charset" | "PSU-Accept-Encoding" | "PSU-Accept-Language" | "PSU-User-Agent" | "PSU-Http-Method" | "PSU-Device-ID" | "PSU-Geolocation";
type RedirectHeader = "TPP-Redirect-URI" | "TPP-Nok-Redirect-URI" | "TPP-State" | "TPP-Notification-URI";
type Optional<Name extends keyof HeaderValues> = { readonly [Key in Name]?: HeaderValues[Key] | undefined };

export interface Operations {
  /** Confirm funds. */ readonly confirmFunds: {
    readonly headers?: Optional<'Consent-ID'> | undefined;
    readonly body: ConfirmFundsRequest;
    readonly answer: ConfirmFundsResponse;
  };
  /** Create a funds confirmation consent. */ readonly createFundsConsent: {
    readonly headers?: Optional<PsuHeader | RedirectHeader> | undefined;
    readonly body: CreateFundsConsentRequest;
    readonly answer: CreatedConsent;
  };
  /** Get a funds confirmation consent. */ readonly getFundsConsent: {
    readonly params: {
      /** Id of the funds confirmation consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: GetFundsConsentResponse;
  };
  /** End a funds confirmation consent. */ readonly endFundsConsent: {
    readonly params: {
      /** Id of the funds confirmation consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: undefined;
  };
  /** Get the status of a funds confirmation consent. */ readonly getFundsConsentStatus: {
    readonly params: {
      /** Id of the funds confirmation consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: ConsentStatusResponse;
  };
  /** Get ATMs. */ readonly getAtms: {
    readonly query?: {
      /** Return data only if modified since this date (RFC 3339 with offset). */ readonly if_Modified_Since?: string | undefined;
      /** Return data only if the ETag is none of these; quotes are optional. */ readonly if_None_Match?: string | undefined;
    } | undefined;
    readonly answer: GetAtmsResponse | undefined;
  };
  /** Create an account access consent. */ readonly createConsent: {
    readonly headers?: Optional<PsuHeader | RedirectHeader> | undefined;
    readonly body: CreateConsentRequest;
    readonly answer: CreatedConsent;
  };
  /** Get an account access consent. */ readonly getConsent: {
    readonly params: {
      /** Id of the account access consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: GetConsentResponse;
  };
  /** End an account access consent. */ readonly endConsent: {
    readonly params: {
      /** Id of the account access consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: undefined;
  };
  /** Get consent status. */ readonly getConsentStatus: {
    readonly params: {
      /** Id of the account access consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: ConsentStatus;
  };
  /** Renew the authentication of an account access consent. */ readonly startConsentAuthorisation: {
    readonly params: {
      /** Id of the account access consent as returned when it was created. */ readonly consentId: string;
    };
    readonly headers?: Optional<PsuHeader | RedirectHeader> | undefined;
    readonly answer: CreatedConsent;
  };
  /** List accounts. */ readonly getAccounts: {
    readonly query?: {
      /** true adds the balances; it needs the permission Balances. */ readonly withBalance?: boolean | undefined;
    } | undefined;
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetAccountsResponse;
  };
  /** Get an account. */ readonly getAccount: {
    readonly params: {
      /** The resourceId of the account, as the list of accounts has it. */ readonly accountId: string;
    };
    readonly query?: {
      /** true adds the balances; it needs the permission Balances. */ readonly withBalance?: boolean | undefined;
    } | undefined;
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetAccountResponse;
  };
  /** Get the balances of an account. */ readonly getBalances: {
    readonly params: {
      /** The resourceId of the account, as the list of accounts has it. */ readonly accountId: string;
    };
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetBalancesResponse;
  };
  /** List transactions. */ readonly getTransactions: {
    readonly params: {
      /** The resourceId of the account, as the list of accounts has it. */ readonly accountId: string;
    };
    readonly query?: {
      /** First day. Absent: 90 days ago, or the first day that the consent covers. In the time zone of the bank. */ readonly dateFrom?: string | undefined;
      /** Last day. Absent: today, or the last day that the consent covers. In the time zone of the bank. */ readonly dateTo?: string | undefined;
      /** Which transactions. Pending ones come on the first pages, up to 500 on each. */ readonly bookingStatus?: "booked" | "pending" | "both" | undefined;
      /** Booked transactions on a page. */ readonly limit?: number | undefined;
      /** As `_links.next` of the page before has it; nothing else is needed beside it. It works for 60 minutes. */ readonly page?: string | undefined;
    } | undefined;
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetTransactionsResponse;
  };
  /** Get a transaction. */ readonly getTransaction: {
    readonly params: {
      /** The resourceId of the account, as the list of accounts has it. */ readonly accountId: string;
      /** The transactionId, as the list of transactions has it. */ readonly transactionId: string;
    };
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetTransactionResponse;
  };
  /** List statements. */ readonly getStatements: {
    readonly params: {
      /** The resourceId of the account, as the list of accounts has it. */ readonly accountId: string;
    };
    readonly query?: {
      /** First day. Absent: 90 days ago, or the first day that the consent covers. In the time zone of the bank. */ readonly dateFrom?: string | undefined;
      /** Last day. Absent: today, or the last day that the consent covers. In the time zone of the bank. */ readonly dateTo?: string | undefined;
    } | undefined;
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetStatementsResponse;
  };
  /** Get a statement. */ readonly getStatement: {
    readonly params: {
      /** The resourceId of the account, as the list of accounts has it. */ readonly accountId: string;
      /** The statementId, as the list of statements has it. */ readonly statementId: string;
    };
    readonly headers: Pick<HeaderValues, 'Consent-ID'> & Optional<PsuHeader>;
    readonly answer: GetStatementResponse;
    readonly file: "application/pdf";
  };
  /** Stage a domestic transfer. */ readonly createDomesticTransfer: {
    readonly headers?: Optional<PsuHeader | RedirectHeader> | undefined;
    readonly body: CreateDomesticTransferRequest;
    readonly answer: CreatedConsent;
  };
  /** Stage an international transfer. */ readonly createInternationalTransfer: {
    readonly headers?: Optional<PsuHeader | RedirectHeader> | undefined;
    readonly body: CreateInternationalTransferRequest;
    readonly answer: CreatedConsent;
  };
  /** Get payment information. */ readonly getPaymentConsent: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: GetPaymentConsentResponse;
  };
  /** End a payment consent. */ readonly endPaymentConsent: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: undefined;
  };
  /** Get the status of a payment consent. */ readonly getPaymentConsentStatus: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: ConsentStatusResponse;
  };
  /** Get events. */ readonly getEvents: {
    readonly query?: {
      /** Id of the last event already seen. The first one follows, if absent. */ readonly after?: string | undefined;
      /** Most events in one answer. */ readonly limit?: number | undefined;
    } | undefined;
    readonly answer: GetEventsResponse;
  };
  /** Confirm the funds of a payment. */ readonly confirmPaymentFunds: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: ConfirmPaymentFundsResponse;
  };
  /** Submit a payment order. */ readonly submitPayment: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly body?: SubmitPaymentRequest | undefined;
    readonly answer: SubmitPaymentResponse;
  };
  /** Read a payment order. */ readonly getPayment: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: GetPaymentResponse;
  };
  /** Cancel a payment order. */ readonly cancelPayment: {
    readonly params: {
      /** Id of the payment consent as returned when it was created. */ readonly paymentConsentId: string;
    };
    readonly headers?: Optional<PsuHeader> | undefined;
    readonly answer: undefined;
  };
  /** Register by certificate. */ readonly registerApplication: {
    readonly body: RegisterApplicationRequest;
    readonly answer: RegisterApplicationResponse;
  };
  /** Read a registration. */ readonly getRegistration: {
    readonly params: {
      /** The client_id of the application. */ readonly clientId: string;
    };
    readonly answer: Registration;
  };
  /** Change a registration, or bring a successor certificate. */ readonly changeRegistration: {
    readonly params: {
      /** The client_id of the application. */ readonly clientId: string;
    };
    readonly body: ChangeRegistrationRequest;
    readonly answer: Registration;
  };
  /** Remove a registration. */ readonly removeRegistration: {
    readonly params: {
      /** The client_id of the application. */ readonly clientId: string;
    };
    readonly answer: undefined;
  };
  /** Replace a key or the secret. */ readonly renewRegistrationSecret: {
    readonly params: {
      /** The client_id of the application. */ readonly clientId: string;
    };
    readonly body: RenewRegistrationSecretRequest;
    readonly answer: RenewRegistrationSecretResponse;
  };
}

export const operations = {
  confirmFunds: ['POST', '/piis/psd2/v1/funds-confirmations'],
  createFundsConsent: ['POST', '/piis/psd2/v1/consents'],
  getFundsConsent: ['GET', '/piis/psd2/v1/consents/{consentId}'],
  endFundsConsent: ['DELETE', '/piis/psd2/v1/consents/{consentId}'],
  getFundsConsentStatus: ['GET', '/piis/psd2/v1/consents/{consentId}/status'],
  getAtms: ['GET', '/psd2/v1/opendata/atm'],
  createConsent: ['POST', '/ais/psd2/v1/consents'],
  getConsent: ['GET', '/ais/psd2/v1/consents/{consentId}'],
  endConsent: ['DELETE', '/ais/psd2/v1/consents/{consentId}'],
  getConsentStatus: ['GET', '/ais/psd2/v1/consents/{consentId}/status'],
  startConsentAuthorisation: ['POST', '/ais/psd2/v1/consents/{consentId}/authorisations'],
  getAccounts: ['GET', '/ais/psd2/v1/accounts'],
  getAccount: ['GET', '/ais/psd2/v1/accounts/{accountId}'],
  getBalances: ['GET', '/ais/psd2/v1/accounts/{accountId}/balances'],
  getTransactions: ['GET', '/ais/psd2/v1/accounts/{accountId}/transactions'],
  getTransaction: ['GET', '/ais/psd2/v1/accounts/{accountId}/transactions/{transactionId}'],
  getStatements: ['GET', '/ais/psd2/v1/accounts/{accountId}/statements'],
  getStatement: ['GET', '/ais/psd2/v1/accounts/{accountId}/statements/{statementId}'],
  createDomesticTransfer: ['POST', '/pis/psd2/v1/transfers/domestic'],
  createInternationalTransfer: ['POST', '/pis/psd2/v1/transfers/international'],
  getPaymentConsent: ['GET', '/pis/psd2/v1/{paymentConsentId}'],
  endPaymentConsent: ['DELETE', '/pis/psd2/v1/{paymentConsentId}'],
  getPaymentConsentStatus: ['GET', '/pis/psd2/v1/{paymentConsentId}/status'],
  getEvents: ['GET', '/events/psd2/v1'],
  confirmPaymentFunds: ['GET', '/pis/psd2/v1/{paymentConsentId}/funds-confirmation'],
  submitPayment: ['POST', '/pis/psd2/v1/{paymentConsentId}/payment'],
  getPayment: ['GET', '/pis/psd2/v1/{paymentConsentId}/payment'],
  cancelPayment: ['DELETE', '/pis/psd2/v1/{paymentConsentId}/payment'],
  registerApplication: ['POST', '/registration'],
  getRegistration: ['GET', '/registration/{clientId}'],
  changeRegistration: ['PUT', '/registration/{clientId}'],
  removeRegistration: ['DELETE', '/registration/{clientId}'],
  renewRegistrationSecret: ['POST', '/registration/{clientId}/secrets'],
} as const;

/** What to do about a problem, by its advice. */
export const remedies: Readonly<Record<Advice, string>> = {
  'repeat': "Send the same request again with the same X-Request-ID after the seconds in Retry-After. It is never carried out twice. If it still fails after several attempts, stop and tell the bank the X-Request-ID.",
  'wait': "Nothing was done. Send the same request again after the seconds in Retry-After, which may be hours.",
  'refresh-token': "Get a new access token with the refresh token and send the request again, once. If the token endpoint answers invalid_grant, or the new token is refused as well, send the account holder to the authorization endpoint.",
  'authorize': "Send the account holder to the authorization endpoint and ask for the scope that WWW-Authenticate names. Refreshing the token does not help.",
  'ask-account-holder': "Send the account holder to the scaRedirect of the consent, and send the request again once its status is Valid. An event tells the change of status.",
  'renew-consent': "POST to the authorisations of the consent, send the account holder to the scaRedirect of the answer, then send the request again. The consent stays as it is.",
  'ask-for-less': "Send a new request for no more than the extensions of the problem allow. Do not bother the account holder with it, unless they ask for more.",
  'new-consent': "Create a consent that covers the request, send the account holder to its scaRedirect, then send the request with the new consent.",
  'read-existing': "The resource is in another state than the request expects. Read it and go on from its state; do not send the request again.",
  'start-over': "Nothing is wrong with the program: what it was given before works no longer. Begin again with the first request, such as the first page of the list.",
  'fix-request': "Stop and alert a developer: the program or its configuration has a mistake. Nothing was done.",
  'contact-bank': "Stop and alert somebody who can talk to the bank: only the bank can change this.",
};
