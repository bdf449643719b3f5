-- St. Orrin's Hospital, Halden Bay. Everybody and everything here is invented.
CREATE TABLE patient (
    mrn INTEGER PRIMARY KEY, name TEXT, given TEXT, family TEXT, born DATE, city TEXT, employer TEXT, occupation TEXT,
    phone TEXT, email TEXT, kin TEXT, doctor TEXT, diagnosis TEXT, medication TEXT, insurer TEXT, policy_number TEXT,
    card TEXT, iban TEXT, label TEXT
);
INSERT INTO patient VALUES
(4471902, 'Mireille Tanaka-Boyd', 'Mireille', 'Tanaka-Boyd', '1971-03-14', 'Halden Bay', 'conservatory', 'cello',
 '(555) 010-4477', 'm.tanakaboyd@example.org', 'Teodor Boyd', 'Osei Lindqvist', 'HIV', 'dolutegravir',
 'Harbour Mutual', 'HM-20931-77', '4111 1111 1111 1111', 'GB82 WEST 1234 5698 7654 32', 'care'),
(4471877, 'Anselm Ferreira', 'Anselm', 'Ferreira', '1948-11-02', 'Halden Bay', 'retired', 'carpenter',
 '(555) 010-2231', 'anselm@example.net', 'Rosa Ferreira', 'Osei Lindqvist', 'heart failure', 'bisoprolol',
 'Harbour Mutual', 'HM-11204-03', NULL, NULL, 'care'),
(4472013, 'Lise Okonkwo', 'Lise', 'Okonkwo', '1990-07-21', 'Port Maren', 'Maren Shipping', 'navigator',
 '(555) 010-9042', 'lise.okonkwo@example.com', 'Ada Okonkwo', 'Hana Pereira', 'asthma', 'salbutamol',
 'Seafarers Fund', 'SF-88120', NULL, NULL, 'care'),
(4471650, 'Yusuf Brandt', 'Yusuf', 'Brandt', '1983-01-30', 'Port Maren', 'Brandt and Sons', 'joiner',
 '(555) 010-7713', 'yusuf@example.org', 'Leyla Brandt', 'Osei Lindqvist', 'migraine', 'sumatriptan',
 'Harbour Mutual', 'HM-30877-12', NULL, NULL, 'care'),
(4471431, 'Greta Sol', 'Greta', 'Sol', '1959-05-09', 'Halden Bay', 'retired', 'teacher',
 '(555) 010-1180', 'greta.sol@example.net', 'Nils Sol', 'Hana Pereira', 'pneumonia', 'amoxicillin',
 'Civic Plan', 'CP-4410', NULL, NULL, 'care'),
(4472240, 'Tomas Lindgren', 'Tomas', 'Lindgren', '2001-12-17', 'Halden Bay', 'conservatory', 'violin',
 '(555) 010-6675', 'tomas.l@example.org', 'Eva Lindgren', 'Osei Lindqvist', 'pneumonia', 'amoxicillin',
 'Civic Plan', 'CP-5521', NULL, NULL, 'care'),
(4472019, 'Ines Marchetti', 'Ines', 'Marchetti', '1966-08-25', 'Halden Bay', 'Pelham Street clinic', 'nurse',
 '(555) 010-3348', 'ines@example.com', 'Carlo Marchetti', 'Hana Pereira', 'HIV', 'dolutegravir',
 'Harbour Mutual', 'HM-27001-40', NULL, NULL, 'care'),
(4471744, 'Mireille Adair', 'Mireille', 'Adair', '1979-10-03', 'Port Maren', 'Maren Shipping', 'cook',
 '(555) 010-8890', 'm.adair@example.net', 'Paul Adair', 'Osei Lindqvist', 'fracture', 'paracetamol',
 'Seafarers Fund', 'SF-90112', NULL, NULL, 'care');
